/* Prints sizes and offsets of the C library's structures as the compiler sees them. */
#include <stddef.h>
#include <stdio.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#define SIZE(type) printf(#type "=%zu\n", sizeof(struct type))
#define AT(type, member) printf(#type "." #member "=%zu\n", offsetof(struct type, member))

int main(void) {
  SIZE(timex);
  AT(timex, offset);
  AT(timex, maxerror);
  AT(timex, esterror);
  AT(timex, status);
  SIZE(statvfs);
  AT(statvfs, f_frsize);
  AT(statvfs, f_blocks);
  AT(statvfs, f_bfree);
  AT(statvfs, f_bavail);
  AT(statvfs, f_files);
  AT(statvfs, f_ffree);
  return 0;
}
