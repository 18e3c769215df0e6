package dev.holdfast.core.network.blame;

/** Two endpoints with traffic between them. */
public record Pair(Endpoint first, Endpoint second) {
  public Pair {
    if (first.equals(second)) {
      throw new IllegalArgumentException(first + " with itself");
    }
  }

  /** Whether the traffic leaves the leaf. */
  public boolean crosses() {
    return !first.leaf().equals(second.leaf());
  }

  Endpoint other(Endpoint one) {
    return one.equals(first) ? second : first;
  }

  @Override
  public String toString() {
    return first + " - " + second;
  }
}
