package dev.holdfast.core.network.blame;

/** What came of traffic between two endpoints. */
public sealed interface Outcome {
  /** It got through, at this bandwidth; best the median of several rounds. */
  record Measured(double gigabytesPerSecond) implements Outcome {
    public Measured {
      if (!(gigabytesPerSecond > 0)) {
        throw new IllegalArgumentException(gigabytesPerSecond + " GB/s");
      }
    }
  }

  /** It did not get through: refused, timed out, wrong data. */
  record Failed(String why) implements Outcome {}
}
