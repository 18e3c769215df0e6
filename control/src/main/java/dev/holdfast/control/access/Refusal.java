package dev.holdfast.control.access;

/** What was asked about tokens cannot be done; the message says why and what to do. */
public class Refusal extends Exception {
  private final int status;

  public Refusal(int status, String why) {
    super(why);
    this.status = status;
  }

  /** In the terms of HTTP. */
  public int status() {
    return status;
  }

  /** A machine wants what another one has: its name, or its token. */
  public static final class Taken extends Refusal {
    private static final long serialVersionUID = 1;

    Taken(String why) {
      super(409, why);
    }
  }
}
