package dev.holdfast.core.network;

/** What a comparison says. */
public enum Verdict {
  SLOWER("slower"),
  FASTER("faster"),
  CANNOT_TELL("cannot tell");

  private final String words;

  Verdict(String words) {
    this.words = words;
  }

  public String words() {
    return words;
  }
}
