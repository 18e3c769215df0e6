package dev.holdfast.core.forensics.logs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Does a line tell of work that was done? Losses, batches, epochs, bars that moved on, checkpoints
 * that were written, answers a server gave. What a library prints after an error, however ordinary,
 * is none of it.
 */
final class Progress {
  private static final int NEAR = 400;
  private static final Pattern BAR = Pattern.compile("(\\d{1,9})/(\\d{1,9}) \\[");
  private static final Pattern WORK =
      Pattern.compile(
          "(?i)\\b(?:\\w{0,20}loss|epoch|batch|iter|samples/s|tokens?/s|throughput|mfu|tflops?)\\w{0,12}"
              + "['\"]?[ :=(/#\\[]{1,4}-?\\d|(?:saved|saving|wrote|stored)\\b.{0,40}\\bcheckpoint"
              + "|\\d(?:it/s|s/it)\\b|\" 200(?: OK)?\\b");
  private static final Pattern ALARM =
      Pattern.compile("(?i)error|exception|traceback|fail|nan\\b|killed|timed? ?out|abort|warn");

  private long bar = -1;

  /** Where a bar stood when something went wrong. */
  void note(String line) {
    Matcher moved = BAR.matcher(line.length() > NEAR ? line.substring(0, NEAR) : line);
    if (moved.find()) {
      bar = Long.parseLong(moved.group(1));
    }
  }

  /** Whether work was done since the line before that told so. */
  boolean read(String line) {
    String near = line.length() > NEAR ? line.substring(0, NEAR) : line;
    if (ALARM.matcher(near).find()) {
      return false;
    }
    Matcher moved = BAR.matcher(near);
    if (moved.find()) {
      long at = Long.parseLong(moved.group(1));
      boolean further = bar >= 0 && at > bar;
      bar = at;
      return further;
    }
    return WORK.matcher(near).find();
  }
}
