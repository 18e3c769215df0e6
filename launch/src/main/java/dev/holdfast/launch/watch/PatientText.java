package dev.holdfast.launch.watch;

/**
 * A text that may be looked at only so often: a pattern an operator wrote can need exponential time
 * on an unlucky line, and the watcher must not stand still for it.
 */
final class PatientText implements CharSequence {
  /** The pattern needed too long. */
  static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1;

    Exhausted() {
      super("pattern too slow", null, false, false);
    }
  }

  private final CharSequence text;
  private final int[] looksLeft;

  PatientText(String text, int looks) {
    this(text, new int[] {looks});
  }

  private PatientText(CharSequence text, int[] looksLeft) {
    this.text = text;
    this.looksLeft = looksLeft;
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public char charAt(int index) {
    if (--looksLeft[0] < 0) {
      throw new Exhausted();
    }
    return text.charAt(index);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return new PatientText(text.subSequence(start, end), looksLeft);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
