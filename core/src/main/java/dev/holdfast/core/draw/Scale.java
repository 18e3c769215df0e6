package dev.holdfast.core.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * From values to places on paper, with the values worth a mark.
 *
 * @param logarithmic whether equal distances are equal ratios
 * @param words how a value is written beside its mark
 */
public record Scale(
    double low,
    double high,
    boolean logarithmic,
    List<Double> marks,
    DoubleFunction<String> words) {
  private static final double[] STEPS = {1, 2, 5, 10};

  public Scale {
    marks = List.copyOf(marks);
    if (!(low < high) || (logarithmic && !(low > 0))) {
      throw new IllegalArgumentException("no scale from " + low + " to " + high);
    }
  }

  /** From zero to at least this, in about so many steps of 1, 2 or 5. */
  public static Scale upTo(double highest, int about, DoubleFunction<String> words) {
    double most = highest > 0 ? highest : 1;
    double rough = most / about;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = 10 * power;
    for (double each : STEPS) {
      if (each * power >= rough * (1 - 1e-9)) {
        step = each * power;
        break;
      }
    }
    List<Double> marks = new ArrayList<>();
    int count = (int) Math.ceil(most / step - 1e-9);
    for (int i = 0; i <= count; i++) {
      marks.add(i * step);
    }
    return new Scale(0, count * step, false, marks, words);
  }

  /** Between two values in steps of 1, 2 and 5, or of 10 where that would be too many. */
  public static Scale ratios(double low, double high, int most, DoubleFunction<String> words) {
    List<Double> fine = decades(low, high, new double[] {1, 2, 5});
    List<Double> marks = fine.size() <= most ? fine : decades(low, high, new double[] {1});
    return new Scale(marks.getFirst(), marks.getLast(), true, marks, words);
  }

  /** The marks that reach from below the lowest value to above the highest. */
  private static List<Double> decades(double low, double high, double[] within) {
    List<Double> marks = new ArrayList<>();
    for (int power = (int) Math.floor(Math.log10(low));
        power <= Math.ceil(Math.log10(high)) + 1;
        power++) {
      for (double each : within) {
        double mark = each * Math.pow(10, power);
        if (mark <= low * (1 + 1e-9)) {
          marks.clear();
        }
        marks.add(mark);
        if (mark >= high * (1 - 1e-9) && marks.size() > 1) {
          return marks;
        }
      }
    }
    return marks;
  }

  /** Powers of two between two sizes; every one, every second, … so that at most so many remain. */
  public static Scale sizes(double low, double high, int most, DoubleFunction<String> words) {
    int first = (int) Math.ceil(log2(low) - 1e-9);
    int last = (int) Math.floor(log2(high) + 1e-9);
    int step = 1;
    while ((last - first) / step >= most) {
      step *= 2;
    }
    List<Double> marks = new ArrayList<>();
    for (int power = first; power <= last; power += step) {
      marks.add(Math.pow(2, power));
    }
    double apart = low < high ? 1 : Math.sqrt(2);
    return new Scale(low / apart, high * apart, true, marks, words);
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  /** How far a value is from the low end, of the whole. */
  public double share(double value) {
    return logarithmic
        ? Math.log(value / low) / Math.log(high / low)
        : (value - low) / (high - low);
  }
}
