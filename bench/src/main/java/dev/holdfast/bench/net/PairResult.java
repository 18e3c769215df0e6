package dev.holdfast.bench.net;

import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What two ranks reached with each other.
 *
 * @param gigabytesPerSecond of the stream; not a number when the pair failed
 * @param latencySeconds the median, one way
 * @param worstSeconds of the slowest of a hundred exchanges, one way
 * @param stalls exchanges that took as long as TCP waits before it sends something lost again
 * @param stallSeconds they took together, less those that a busy machine may make
 * @param exchanges that were made
 * @param failed why nothing was measured; empty when it was
 */
public record PairResult(
    int first,
    int second,
    double gigabytesPerSecond,
    double latencySeconds,
    double worstSeconds,
    int stalls,
    double stallSeconds,
    int exchanges,
    String failed) {

  static PairResult failed(int first, int second, String why) {
    return new PairResult(
        first, second, Double.NaN, Double.NaN, Double.NaN, 0, 0, 0, why.isEmpty() ? "failed" : why);
  }

  public boolean ok() {
    return failed.isEmpty();
  }

  /** The share of exchanges in which something was lost on the way. */
  public double stallShare() {
    return exchanges == 0 ? 0 : (double) stalls / exchanges;
  }

  /**
   * One figure for what the pair is worth: the stream, with what its exchanges waited for lost
   * packets added to its time. A link that loses packets may stream nearly as well as others and
   * still spoil every collective.
   *
   * @param seconds the stream is taken to last
   */
  double goodput(double seconds) {
    return gigabytesPerSecond * seconds / (seconds + stallSeconds);
  }

  Map<String, @Nullable Object> tree() {
    return Json.map(
        "first",
        first,
        "second",
        second,
        "gigabytesPerSecond",
        ok() ? gigabytesPerSecond : null,
        "latencySeconds",
        ok() ? latencySeconds : null,
        "worstLatencySeconds",
        ok() ? worstSeconds : null,
        "exchanges",
        exchanges,
        "stalls",
        stalls,
        "failed",
        ok() ? null : failed);
  }
}
