package dev.holdfast.bench.net;

import java.io.IOException;

/** Ranks could not finish; the message names the one to blame. */
public final class RankFailure extends IOException {
  private static final long serialVersionUID = 1;

  private final int rank;

  RankFailure(int rank, String message) {
    super(message);
    this.rank = rank;
  }

  /** Who is to blame; below zero when nobody can be named. */
  public int rank() {
    return rank;
  }
}
