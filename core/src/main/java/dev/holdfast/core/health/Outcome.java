package dev.holdfast.core.health;

import java.util.Locale;

/** A check's answer. "No data" is {@link #SKIP}, never {@link #PASS}. */
public enum Outcome {
  SKIP,
  PASS,
  WARN,
  FAIL;

  /** The answer for the whole when this and {@code other} are answers for parts of it. */
  public Outcome worse(Outcome other) {
    return compareTo(other) >= 0 ? this : other;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
