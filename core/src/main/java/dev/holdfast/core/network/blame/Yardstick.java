package dev.holdfast.core.network.blame;

import dev.holdfast.core.statistics.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is slow? What lies clearly below what its like reach: by at least 5 %, and by six times the
 * spread or more, which luck does not make once among many thousand measurements.
 *
 * <p>Faults only ever make slower, so what good ones reach is read off the faster half of all: its
 * middle and its spread. Half of the measurements may therefore be bad, as they are when one leaf
 * of four has bad uplinks. Of a handful, the spread is not known well, and only a fifth less
 * counts; but what is below half is bad in any case.
 *
 * <p>Traffic that crosses leaves may have less bandwidth by design and is compared with its like.
 */
final class Yardstick {
  private static final double LEAST = 0.05;
  private static final double LEAST_OF_FEW = 0.2;

  /** Half of what others reach is bad, however far those lie apart. */
  private static final double MOST = 0.5;

  /** Six from the middle of all are so many from the middle of the faster half. */
  private static final double SPREADS = 6.7;

  /** Makes the median deviation inside the faster half of normal noise its standard deviation. */
  private static final double HALF_NORMAL = 2.5;

  /** No network is steadier. */
  private static final double SMALLEST_SPREAD = 0.005;

  private static final int FEW = 10;

  private final List<Double> inside = new ArrayList<>();
  private final List<Double> crossing = new ArrayList<>();
  private Usual ofInside = Usual.of(List.of());
  private Usual ofCrossing = Usual.of(List.of());

  /**
   * What good ones reach.
   *
   * @param tolerance the share below which something is bad
   */
  private record Usual(double bandwidth, double tolerance) {
    static Usual of(List<Double> values) {
      double[] sorted = values.stream().mapToDouble(it -> it).sorted().toArray();
      double[] faster = Arrays.copyOfRange(sorted, sorted.length / 2, sorted.length);
      double middle = Robust.median(faster);
      double[] away = Arrays.stream(faster).map(it -> Math.abs(it - middle)).toArray();
      double spread = Math.max(SMALLEST_SPREAD, HALF_NORMAL * Robust.median(away) / middle);
      double least = values.size() < FEW ? LEAST_OF_FEW : LEAST;
      return new Usual(middle, 1 - Math.clamp(SPREADS * spread, least, MOST));
    }
  }

  /** Takes in a round as a whole, so that each of it is measured by all. */
  void add(List<Pair> pairs, List<Outcome> outcomes) {
    for (int i = 0; i < pairs.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Measured measured) {
        (pairs.get(i).crosses() ? crossing : inside).add(measured.gigabytesPerSecond());
      }
    }
    ofInside = Usual.of(inside);
    ofCrossing = Usual.of(crossing);
  }

  /** The share of what its like reach; 0 when it failed. */
  double share(Pair pair, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Failed _ -> 0;
      case Outcome.Measured measured -> measured.gigabytesPerSecond() / like(pair).bandwidth();
    };
  }

  boolean bad(Pair pair, Outcome outcome) {
    return outcome instanceof Outcome.Failed || share(pair, outcome) < like(pair).tolerance();
  }

  double typical() {
    return inside.isEmpty() ? ofCrossing.bandwidth() : ofInside.bandwidth();
  }

  private Usual like(Pair pair) {
    return pair.crosses() ? ofCrossing : ofInside;
  }
}
