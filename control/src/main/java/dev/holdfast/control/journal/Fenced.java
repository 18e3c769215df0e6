package dev.holdfast.control.journal;

/** Another control plane leads: whoever meets this must stop at once and act no more. */
public final class Fenced extends RuntimeException {
  private static final long serialVersionUID = 1;

  public Fenced(String message) {
    super(message);
  }
}
