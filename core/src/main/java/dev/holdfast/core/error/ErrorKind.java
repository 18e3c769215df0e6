package dev.holdfast.core.error;

import java.util.Locale;

/** Who can mend an error, and the exit code that follows. */
public enum ErrorKind {
  /** What was asked makes no sense as things stand now; later it may. */
  STATE(1),
  /** The call or the input is wrong. */
  USER(2),
  /** Something on the machine is missing or refuses. */
  ENVIRONMENT(3),
  /** A limit was reached: time, memory, disk. */
  RESOURCE(3),
  /** A defect in Holdfast. */
  DEFECT(3);

  private final int exitCode;

  ErrorKind(int exitCode) {
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
