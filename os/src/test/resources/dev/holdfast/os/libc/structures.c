/* Prints sizes, offsets and numbers of the C library and the kernel as the compiler sees them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/mempolicy.h>
#include <linux/sockios.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#define NUMBER(name) printf(#name "=%d\n", (int)(name))
#define SIZE(type) printf(#type "=%zu\n", sizeof(struct type))
#define AT(type, member) printf(#type "." #member "=%zu\n", offsetof(struct type, member))
#define TYPE(type) printf(#type "=%zu\n", sizeof(type))

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
  NUMBER(MPOL_DEFAULT);
  NUMBER(MPOL_PREFERRED);
  NUMBER(MPOL_BIND);
  NUMBER(MPOL_INTERLEAVE);
  NUMBER(MPOL_LOCAL);
  NUMBER(SYS_set_mempolicy);
  NUMBER(SYS_get_mempolicy);
  NUMBER(F_SETFD);
  NUMBER(FD_CLOEXEC);
  NUMBER(SIG_UNBLOCK);
  NUMBER(SIGQUIT);
  TYPE(siginfo_t);
  printf("siginfo_t.si_code=%zu\n", offsetof(siginfo_t, si_code));
  printf("siginfo_t.si_pid=%zu\n", offsetof(siginfo_t, si_pid));
  printf("siginfo_t.si_status=%zu\n", offsetof(siginfo_t, si_status));
  NUMBER(CLD_EXITED);
  NUMBER(P_ALL);
  NUMBER(P_PID);
  NUMBER(WEXITED);
  NUMBER(WNOWAIT);
  NUMBER(WNOHANG);
  NUMBER(PR_SET_CHILD_SUBREAPER);
  NUMBER(POSIX_SPAWN_SETSIGDEF);
  NUMBER(POSIX_SPAWN_SETSIGMASK);
  NUMBER(POSIX_SPAWN_SETSID);
  NUMBER(SIGTERM);
  NUMBER(SIGCONT);
  SIZE(pollfd);
  NUMBER(POLLIN);
  NUMBER(F_SETFL);
  NUMBER(O_NONBLOCK);
  NUMBER(O_CLOEXEC);
  TYPE(posix_spawnattr_t);
  TYPE(posix_spawn_file_actions_t);
  SIZE(ifreq);
  AT(ifreq, ifr_data);
  AT(ethtool_sset_info, sset_mask);
  AT(ethtool_sset_info, data);
  AT(ethtool_gstrings, string_set);
  AT(ethtool_gstrings, len);
  AT(ethtool_gstrings, data);
  AT(ethtool_stats, n_stats);
  AT(ethtool_stats, data);
  NUMBER(SIOCETHTOOL);
  NUMBER(ETHTOOL_GSSET_INFO);
  NUMBER(ETHTOOL_GSTRINGS);
  NUMBER(ETHTOOL_GSTATS);
  NUMBER(ETH_SS_STATS);
  NUMBER(ETH_GSTRING_LEN);
  NUMBER(AF_INET);
  NUMBER(SOCK_DGRAM);
  NUMBER(SOCK_CLOEXEC);
  return 0;
}
