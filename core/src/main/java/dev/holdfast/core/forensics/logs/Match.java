package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureRule;
import dev.holdfast.core.forensics.FailureRules;

/** A failure rule that fits lines of one speaker: the first of them, the last, and how many. */
final class Match {
  final int row;
  final Before first;
  Before last;
  long count = 1;

  /** How many of them the program said it had dealt with, right after them. */
  long dealtWith;

  /**
   * A line, and how much its file had told by then.
   *
   * @param steps further steps
   * @param progress lines that told of work done
   */
  record Before(Said said, long steps, long progress) {
    Before(Said said, Pace pace) {
      this(said, pace.steps, pace.progress);
    }
  }

  Match(int row, Before line) {
    this.row = row;
    first = line;
    last = line;
  }

  void again(Before line) {
    last = line;
    count++;
  }

  FailureRule rule() {
    return FailureRules.all().get(row);
  }
}
