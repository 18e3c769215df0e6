package dev.holdfast.control.engine;

/** Come again later: nothing was lost, nothing was done. */
public final class Overloaded extends RuntimeException {
  private static final long serialVersionUID = 1;

  public Overloaded(String message) {
    super(message);
  }
}
