package dev.holdfast.bench.net;

import java.util.Locale;

/** The way an operation takes between the ranks. */
public enum Algorithm {
  /** Blocks go round; each rank sends to the next one only. Moves the least bytes. */
  RING,
  /** Partners at distance 1, 2, 4 … exchange all they have. Takes the fewest steps. */
  DOUBLING,
  /**
   * Partners share what they sum, half of it, a quarter …; then sums go back the same way. Moves as
   * little as a ring in few steps.
   */
  HALVING,
  /** From rank to rank in a line, each passing on while it receives. */
  CHAIN,
  /** A binomial tree. */
  TREE,
  /** Each rank with each other one, in turn. */
  PAIRWISE,
  /** Straight between a rank and the root, or between two ranks. */
  DIRECT,
  /** Signals at distance 1, 2, 4 … until everybody heard of everybody. */
  DISSEMINATION,
  /** Values are written as objects; their lengths go round first, then their bytes. */
  OBJECT,
  /** Whatever a library chooses. */
  LIBRARY,
  /** The same for a number in the program's own memory, where the answer must come back to. */
  ANSWER;

  /** Whether a program waits for what comes back, in its own memory. */
  boolean answers() {
    return this == OBJECT || this == ANSWER;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
