package dev.holdfast.launch.watch;

import dev.holdfast.core.statistics.Robust;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** When did every rank tell of the same step, and how long do steps take? */
final class Arrivals {
  private static final int MOST_OPEN_STEPS = 64;

  private static final class Open {
    final double[] times;
    int missing;

    Open(int ranks) {
      times = new double[ranks];
      Arrays.fill(times, Double.NaN);
      missing = ranks;
    }
  }

  private final int ranks;
  private final TreeMap<Long, Open> open = new TreeMap<>();
  private final Deque<Double> lengths = new ArrayDeque<>();
  private double lastStepAt = Double.NaN;
  private long lastStep = -1;

  Arrivals(int ranks) {
    this.ranks = ranks;
  }

  /** The times of all ranks once the last one told of the step, before that null. */
  double @Nullable [] arrived(int rank, long step, double seconds) {
    if (step <= lastStep || !Double.isFinite(seconds)) {
      return null;
    }
    Open times = open.computeIfAbsent(step, _ -> new Open(ranks));
    if (!Double.isNaN(times.times[rank])) {
      return null;
    }
    times.times[rank] = seconds;
    times.missing--;
    if (times.missing == 0) {
      open.headMap(step, true).clear();
      measure(step, Robust.median(times.times.clone()));
      return times.times;
    }
    if (open.size() > MOST_OPEN_STEPS) {
      open.pollFirstEntry();
    }
    return null;
  }

  private void measure(long step, double middle) {
    if (!Double.isNaN(lastStepAt) && middle > lastStepAt) {
      lengths.addLast((middle - lastStepAt) / (step - lastStep));
      if (lengths.size() > Contest.WINDOW) {
        lengths.removeFirst();
      }
    }
    lastStepAt = middle;
    lastStep = step;
  }

  /** How long a step usually takes; 0 while that is not known. */
  double stepSeconds() {
    return Robust.median(lengths.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
