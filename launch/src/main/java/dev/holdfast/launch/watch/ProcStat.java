package dev.holdfast.launch.watch;

import java.util.Optional;
import java.util.StringTokenizer;

/**
 * What {@code /proc/PID/stat} says of a process.
 *
 * @param started in clock ticks since boot; with the number it names a process for ever
 * @param ownTicks CPU time of its threads
 * @param reapedTicks CPU time of children it has collected, and of theirs
 */
record ProcStat(
    long pid,
    String name,
    char state,
    long parent,
    long session,
    long ownTicks,
    long reapedTicks,
    int threads,
    long started) {
  /** USER_HZ: fixed at 100 for programs, whatever the kernel's own clock. */
  static final double TICKS_PER_SECOND = 100;

  static final char GONE = 'X';

  static Optional<ProcStat> parse(String text) {
    // The name in parentheses may itself hold parentheses and blanks; the last one ends it.
    int open = text.indexOf('(');
    int close = text.lastIndexOf(')');
    if (open < 2 || close < open) {
      return Optional.empty();
    }
    try {
      long[] numbers = new long[20];
      StringTokenizer rest = new StringTokenizer(text.substring(close + 1));
      char state = rest.nextToken().charAt(0);
      for (int i = 1; i < numbers.length; i++) {
        numbers[i] = Long.parseLong(rest.nextToken());
      }
      return Optional.of(
          new ProcStat(
              Long.parseLong(text.substring(0, open).strip()),
              text.substring(open + 1, close),
              state,
              numbers[1],
              numbers[3],
              numbers[11] + numbers[12],
              numbers[13] + numbers[14],
              (int) numbers[17],
              numbers[19]));
    } catch (NumberFormatException | java.util.NoSuchElementException cutShort) {
      return Optional.empty();
    }
  }

  double cpuSeconds() {
    return (ownTicks + reapedTicks) / TICKS_PER_SECOND;
  }
}
