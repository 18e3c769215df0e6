package dev.holdfast.core.forensics.verdict;

/** Who can say something about a run that stopped. */
public enum Source {
  FLIGHT("flight recorder"),
  STACKS("stacks"),
  LOGS("logs"),
  LAUNCHER("launcher"),
  DEVICE("device");

  private final String word;

  Source(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  /** Whose word it repeats: the launcher judges by the last lines of ranks, too. */
  Source root() {
    return this == LOGS ? LAUNCHER : this;
  }
}
