package dev.holdfast.doctor.node;

/** Data a check needs is not there; the check is skipped with this reason. */
public final class Unavailable extends RuntimeException {
  public Unavailable(String reason) {
    super(reason, null, false, false);
  }

  public String reason() {
    return String.valueOf(getMessage());
  }
}
