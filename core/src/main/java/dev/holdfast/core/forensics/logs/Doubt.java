package dev.holdfast.core.forensics.logs;

/**
 * Something was said from which a run can end: did it go on? From then on, and only as long as it
 * matters, lines are looked at for work that was done, because that costs time; and what a program
 * says right after an error it has dealt with takes the error back.
 */
final class Doubt {
  private static final int NEXT_LINES = 3;
  private static final long NEVER = Long.MIN_VALUE / 2;

  private final Pace pace;
  private final Progress progress = new Progress();

  /** How much work was done when it was said last, −1: nobody said anything. */
  private long from = -1;

  private long since = Stamp.NONE;
  private long line = NEVER;
  private int row;
  private Speaker who;

  Doubt(Pace pace, Speaker who) {
    this.pace = pace;
    this.who = who;
  }

  /** A program warned of it. */
  void warned(long time) {
    from = pace.progress;
    since = time;
  }

  /** Somebody said it on a line. */
  void said(Speaker by, int matched, String words, long number, long time) {
    warned(time);
    progress.note(words);
    who = by;
    row = matched;
    line = number;
  }

  /** Whether it still matters that work is done. */
  boolean open() {
    return from >= 0
        && (pace.progress < from + Voice.PROGRESS
            || since != Stamp.NONE && pace.progressTime <= since + Voice.AFTERWARDS);
  }

  void look(String words, long time) {
    if (progress.read(words)) {
      pace.progress++;
      pace.progressTime = time;
    }
  }

  /** Whether an error stands a few lines before. */
  boolean near(long number) {
    return number - line <= NEXT_LINES;
  }

  /** The program goes on after it. */
  void dealtWith() {
    who.dealtWith(row);
    line = NEVER;
  }
}
