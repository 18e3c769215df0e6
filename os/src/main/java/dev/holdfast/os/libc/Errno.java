package dev.holdfast.os.libc;

/** The error numbers of Linux that our calls meet, by their names. */
final class Errno {
  static final int EPERM = 1;
  static final int ENOENT = 2;
  static final int EACCES = 13;

  private Errno() {}

  static String name(int number) {
    return switch (number) {
      case EPERM -> "EPERM, operation not permitted";
      case ENOENT -> "ENOENT, no such file";
      case 3 -> "ESRCH, no such process";
      case 4 -> "EINTR, interrupted";
      case 5 -> "EIO, input/output error";
      case 7 -> "E2BIG, argument list too long";
      case 8 -> "ENOEXEC, not a program";
      case 11 -> "EAGAIN, not now";
      case 12 -> "ENOMEM, no memory";
      case EACCES -> "EACCES, permission denied";
      case 14 -> "EFAULT, bad address";
      case 20 -> "ENOTDIR, not a directory";
      case 22 -> "EINVAL, invalid argument";
      case 24 -> "EMFILE, too many open files";
      case 38 -> "ENOSYS, not implemented";
      case 40 -> "ELOOP, too many symbolic links";
      case 107 -> "ENOTCONN, the server of this mount is gone";
      case 116 -> "ESTALE, stale file handle";
      default -> "errno " + number;
    };
  }
}
