package dev.holdfast.launch.watch;

import dev.holdfast.core.statistics.Robust;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Does the training still learn? Looks at one rank's losses and gradient norms as it tells them.
 *
 * <p>Single spikes are part of training, and skipped steps of a scaler make single infinities, so
 * nothing is said of one. Told is what lasts: {@value #LASTING} values in a row that are no
 * numbers, or {@value #LASTING} in a row above {@code median + 10 × max(|median|, spread)} of the
 * {@value #WINDOW} good ones before. Ten times the median is beyond any learning-rate step or data
 * shift that a run recovers from; the spread (1.48 × the median absolute deviation) covers losses
 * near zero; the window holds good values only, so that a slow explosion cannot make itself usual.
 */
final class Health {
  static final int WINDOW = 256;
  static final int LASTING = 5;
  private static final int ENOUGH = 32;

  private final String name;
  private final Deque<Double> good = new ArrayDeque<>();
  private int inARow;
  private boolean told;

  Health(String name) {
    this.name = name;
  }

  Optional<NumericsTrouble> add(int rank, long step, OptionalDouble value) {
    if (value.isEmpty()) {
      return Optional.empty();
    }
    double number = value.getAsDouble();
    double limit = limit();
    if (Double.isFinite(number) && number <= limit) {
      inARow = 0;
      told = false;
      good.addLast(number);
      if (good.size() > WINDOW) {
        good.removeFirst();
      }
      return Optional.empty();
    }
    inARow++;
    if (inARow < LASTING || told) {
      return Optional.empty();
    }
    told = true;
    double median = Robust.median(good.stream().mapToDouble(Double::doubleValue).toArray());
    return Optional.of(
        new NumericsTrouble(name, rank, step, number, limit, inARow, median, good.size()));
  }

  private double limit() {
    if (good.size() < ENOUGH) {
      return Double.POSITIVE_INFINITY;
    }
    double[] values = good.stream().mapToDouble(Double::doubleValue).toArray();
    double median = Robust.median(values);
    return median + 10 * Math.max(Math.abs(median), Robust.spread(values));
  }

  /** Whether there is nothing to tell of it any more. */
  boolean well() {
    return !told;
  }
}
