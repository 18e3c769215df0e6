package dev.holdfast.launch.stacks;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * May this process look into another one, and if not, why? The kernel is asked by reading a file
 * that needs the very right a debugger needs, which does nothing to the process.
 */
final class TraceRight {
  private static final Path SCOPE = Path.of("/proc/sys/kernel/yama/ptrace_scope");
  private static final Pattern USER = Pattern.compile("(?m)^Uid:\\s*(\\d{1,10})");

  private TraceRight() {}

  /** Empty: it may. */
  static String whyNot(long pid) {
    Reading call = BoundedFile.read(Path.of("/proc/" + pid + "/syscall"), 4096);
    return call instanceof Reading.Denied
        ? words(
            user(Long.toString(pid)),
            user("self"),
            BoundedFile.read(SCOPE, 64).text().orElse("0").strip())
        : "";
  }

  /**
   * @param owner the user of the process, −1: not known
   * @param scope what yama says; 0 where it is not there
   */
  static String words(long owner, long own, String scope) {
    if (owner >= 0 && owner != own) {
      return "no right to read (it belongs to user " + owner + ")";
    }
    return scope.equals("0")
        ? "no right to read (the kernel refuses)"
        : "no right to read (yama scope " + scope + ")";
  }

  private static long user(String process) {
    String status =
        BoundedFile.read(Path.of("/proc/" + process + "/status"), 1 << 16).text().orElse("");
    Matcher user = USER.matcher(status);
    return user.find() ? Long.parseLong(user.group(1)) : -1;
  }
}
