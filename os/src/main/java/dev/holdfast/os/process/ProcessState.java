package dev.holdfast.os.process;

import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;

/**
 * What a process is doing, by the letter the kernel gives it: {@code R} running, {@code S}
 * sleeping, {@code D} stuck in the kernel where no signal reaches it, {@code Z} dead and not yet
 * collected by its parent.
 */
public final class ProcessState {
  private static final char GONE = 'X';

  private ProcessState() {}

  /** The state letter; {@code X} when there is no such process. */
  public static char of(long pid) {
    String stat = BoundedFile.read(Path.of("/proc/" + pid + "/stat"), 1 << 14).text().orElse("");
    // The name in parentheses may itself hold parentheses and spaces; the last one ends it.
    int letter = stat.lastIndexOf(')') + 2;
    return letter >= 2 && letter < stat.length() ? stat.charAt(letter) : GONE;
  }

  /** Whether the process is there and has not died. */
  public static boolean alive(long pid) {
    char state = of(pid);
    return state != GONE && state != 'Z' && state != 'x';
  }
}
