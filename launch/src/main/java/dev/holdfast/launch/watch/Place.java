package dev.holdfast.launch.watch;

import java.util.List;
import java.util.Set;

/**
 * What kind of place a thread sleeps in, by the name of the system call or of the kernel's
 * function. Ranks that wait for others sit in a lock or a poll; who sits in a plain sleep waits for
 * nobody, and who reads a pipe that only he himself could fill waits for ever; who reads a file or
 * a socket may wait for a disk or a server that is only slow.
 */
enum Place {
  UNKNOWN,
  SLEEP,
  LOCK,
  POLL,
  TRANSFER;

  private static final Set<String> SLEEPS =
      Set.of("nanosleep", "clock_nanosleep", "pause", "rt_sigsuspend", "hrtimer_nanosleep");
  private static final Set<String> POLLS =
      Set.of("poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait");
  private static final List<String> TRANSFERS =
      List.of(
          "read",
          "write",
          "recv",
          "send",
          "connect",
          "accept",
          "sync",
          "ioctl",
          "nfs",
          "rpc",
          "fuse",
          "request_wait",
          "io_schedule",
          "folio",
          "page",
          "sock",
          "sk_",
          "pipe",
          "ptlrpc",
          "ldlm",
          "cl_",
          "osc_",
          "bio",
          "wait4",
          "waitid",
          "do_wait",
          "inet_");

  static Place of(String name) {
    if (name.isEmpty()) {
      return UNKNOWN;
    }
    if (name.contains("own pipe") || SLEEPS.contains(name) || name.contains("nanosleep")) {
      return SLEEP;
    }
    if (name.contains("futex")) {
      return LOCK;
    }
    if (POLLS.contains(name)
        || name.contains("pipe")
        || name.contains("poll")
        || name.contains("select")) {
      return POLL;
    }
    return TRANSFERS.stream().anyMatch(name::contains) ? TRANSFER : UNKNOWN;
  }

  /** Whether ranks that wait for others sit here. */
  boolean isWaitForOthers() {
    return this == LOCK || this == POLL || this == TRANSFER;
  }
}
