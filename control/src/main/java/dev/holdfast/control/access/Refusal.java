package dev.holdfast.control.access;

/** What was asked about tokens cannot be done; the message says why and what to do. */
public final class Refusal extends Exception {
  private final int status;

  Refusal(int status, String why) {
    super(why);
    this.status = status;
  }

  /** In the terms of HTTP. */
  public int status() {
    return status;
  }
}
