package dev.holdfast.control.api.gate;

/** There is no room for an answer: whoever asked may try again in a moment. */
public final class NoRoom extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoRoom() {
    super("too much is being answered at once; try again");
  }
}
