package dev.holdfast.core.forensics;

import java.util.List;
import java.util.OptionalLong;

/**
 * How much work had been given to NCCL when its watchdog gave up? Of ranks that all waited in a
 * collective, the one that enqueued the least is the one the others waited for: it never came.
 *
 * <p>The line is {@code … last enqueued NCCL work: 1582, last completed NCCL work: 1579.}; newer
 * releases leave the word NCCL out of the second half.
 */
final class NcclWork {
  private static final String MARK = "last enqueued";
  private static final int MOST_DIGITS = 15;

  private NcclWork() {}

  /** The highest number of enqueued work the lines tell of. */
  static OptionalLong enqueued(List<String> lines) {
    long most = -1;
    for (String line : lines) {
      int at = line.indexOf(MARK);
      int colon = at < 0 ? -1 : line.indexOf(':', at);
      if (colon >= 0 && colon - at <= 40) {
        most = Math.max(most, number(line, colon + 1));
      }
    }
    return most < 0 ? OptionalLong.empty() : OptionalLong.of(most);
  }

  private static long number(String line, int from) {
    int start = from;
    while (start < line.length() && line.charAt(start) == ' ') {
      start++;
    }
    int end = start;
    while (end < line.length()
        && Character.isDigit(line.charAt(end))
        && end - start < MOST_DIGITS) {
      end++;
    }
    return end == start ? -1 : Long.parseLong(line, start, end, 10);
  }
}
