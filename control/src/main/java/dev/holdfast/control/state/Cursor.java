package dev.holdfast.control.state;

/** Up to where the reports of a source are applied. */
public record Cursor(long epoch, long sequence) {
  public static final Cursor NOTHING = new Cursor(0, 0);

  /** Whether that is the very next of its reports. */
  public boolean next(long otherEpoch, long otherSequence) {
    return otherEpoch == epoch
        ? otherSequence == sequence + 1
        : otherEpoch > epoch && otherSequence == 1;
  }

  public boolean applied(long otherEpoch, long otherSequence) {
    return otherEpoch < epoch || otherEpoch == epoch && otherSequence <= sequence;
  }
}
