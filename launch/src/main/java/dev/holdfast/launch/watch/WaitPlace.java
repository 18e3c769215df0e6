package dev.holdfast.launch.watch;

import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where a sleeping thread waits, in one word: the system call where the kernel lets us read it,
 * else the kernel's function, else nothing. Ranks that wait for each other wait in the same place;
 * the one they wait for usually elsewhere.
 */
final class WaitPlace {
  private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");

  /** The calls programs wait in; any other is told by its number. */
  private static final Map<String, String> CALLS =
      ARM
          ? Map.ofEntries(
              Map.entry("22", "epoll_pwait"),
              Map.entry("29", "ioctl"),
              Map.entry("63", "read"),
              Map.entry("64", "write"),
              Map.entry("72", "pselect6"),
              Map.entry("73", "ppoll"),
              Map.entry("82", "fsync"),
              Map.entry("83", "fdatasync"),
              Map.entry("95", "waitid"),
              Map.entry("98", "futex"),
              Map.entry("101", "nanosleep"),
              Map.entry("115", "clock_nanosleep"),
              Map.entry("133", "rt_sigsuspend"),
              Map.entry("202", "accept"),
              Map.entry("203", "connect"),
              Map.entry("207", "recvfrom"),
              Map.entry("212", "recvmsg"),
              Map.entry("260", "wait4"))
          : Map.ofEntries(
              Map.entry("0", "read"),
              Map.entry("1", "write"),
              Map.entry("7", "poll"),
              Map.entry("16", "ioctl"),
              Map.entry("23", "select"),
              Map.entry("34", "pause"),
              Map.entry("35", "nanosleep"),
              Map.entry("42", "connect"),
              Map.entry("43", "accept"),
              Map.entry("45", "recvfrom"),
              Map.entry("47", "recvmsg"),
              Map.entry("61", "wait4"),
              Map.entry("74", "fsync"),
              Map.entry("75", "fdatasync"),
              Map.entry("130", "rt_sigsuspend"),
              Map.entry("202", "futex"),
              Map.entry("230", "clock_nanosleep"),
              Map.entry("232", "epoll_wait"),
              Map.entry("247", "waitid"),
              Map.entry("270", "pselect6"),
              Map.entry("271", "ppoll"),
              Map.entry("281", "epoll_pwait"));

  private WaitPlace() {}

  /** Of a process's main thread or of {@code PID/task/TID}. */
  static String of(Path folder) {
    String call = word(folder.resolve("syscall"));
    if (!call.isEmpty() && !call.equals("running") && !call.equals("-1")) {
      return CALLS.getOrDefault(call, "call-" + call);
    }
    String function = word(folder.resolve("wchan"));
    return function.equals("0") ? "" : function;
  }

  private static String word(Path file) {
    String text = BoundedFile.read(file, 512).text().orElse("").strip();
    int end = text.indexOf(' ');
    return end < 0 ? text : text.substring(0, end);
  }
}
