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

  /**
   * Of a process's main thread or of {@code PID/task/TID}.
   *
   * @param alone whether the process is all there is of its rank, so that nobody but itself could
   *     write to a pipe it reads
   */
  static String of(Path folder, boolean alone) {
    String[] words = text(folder.resolve("syscall")).split(" ", 3);
    String call = words[0];
    if (!call.isEmpty() && !call.equals("running") && !call.equals("-1")) {
      String name = CALLS.getOrDefault(call, "call-" + call);
      boolean transfers = name.equals("read") || name.equals("write");
      return transfers && words.length > 1 ? name + kind(folder, words[1], alone) : name;
    }
    String function = text(folder.resolve("wchan"));
    return function.equals("0") ? "" : function;
  }

  /** What it reads or writes, by the link that stands for the descriptor. */
  private static String kind(Path folder, String descriptor, boolean alone) {
    try {
      long number = Long.decode(descriptor);
      String target = BoundedFile.link(folder.resolve("fd/" + number)).text().orElse("");
      if (target.startsWith("pipe:")) {
        return alone ? "(own pipe)" : "(pipe)";
      }
      return target.startsWith("socket:") ? "(socket)" : target.startsWith("/") ? "(file)" : "";
    } catch (NumberFormatException notADescriptor) {
      return "";
    }
  }

  private static String text(Path file) {
    return BoundedFile.read(file, 512).text().orElse("").strip();
  }
}
