package dev.holdfast.core.health;

import java.util.Locale;

/** How bad a finding is, mildest first. */
public enum Severity {
  /** Worth knowing, nothing to do. */
  INFO,
  /** Will hurt some runs, or soon: fix when convenient. */
  WARNING,
  /** The node works but slower or less safely than it should. */
  DEGRADED,
  /** The node must not join a run. */
  FATAL;

  /** The outcome of a check whose worst finding has this severity. */
  public Outcome outcome() {
    return switch (this) {
      case INFO -> Outcome.PASS;
      case WARNING -> Outcome.WARN;
      case DEGRADED, FATAL -> Outcome.FAIL;
    };
  }

  public boolean atLeast(Severity other) {
    return compareTo(other) >= 0;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
