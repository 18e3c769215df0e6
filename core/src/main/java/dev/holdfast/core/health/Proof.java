package dev.holdfast.core.health;

import java.util.Locale;

/** How far a check, or a row of a table, has been proven; {@link Accept} says what may act. */
public enum Proof {
  /** Seen to work on the real part. */
  HARDWARE,
  /** Seen to work on data recorded from the real part. */
  RECORDED,
  /** Written from documents. */
  DOCUMENTED;

  public boolean atLeast(Proof least) {
    return compareTo(least) <= 0;
  }

  /** As it stands after "what is". */
  String phrase() {
    return this == HARDWARE ? "proven on hardware" : word();
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
