package dev.holdfast.os.process;

import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many files and connections may this process have open? */
public final class OpenFiles {
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final int LIMITS_BYTES = 16 * 1024;
  private static final Pattern SOFT = Pattern.compile("(?m)^Max open files\\s+(\\d+)\\s");

  private OpenFiles() {}

  /** Empty: not limited, or the kernel does not say. */
  public static OptionalLong limit() {
    return limit(BoundedFile.read(LIMITS, LIMITS_BYTES).text().orElse(""));
  }

  static OptionalLong limit(String limits) {
    Matcher soft = SOFT.matcher(limits);
    return soft.find() ? OptionalLong.of(Long.parseLong(soft.group(1))) : OptionalLong.empty();
  }
}
