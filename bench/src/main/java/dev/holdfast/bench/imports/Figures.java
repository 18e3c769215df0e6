package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Numbers in text, and results made of them. */
final class Figures {
  static final double MICRO = 1e-6;
  static final double MILLI = 1e-3;

  /** Printed bandwidths have two decimals; beyond that and a little more they are not ours. */
  private static final double ROUNDED = 0.006;

  private static final double ALIKE = 0.015;

  private Figures() {}

  static OptionalDouble decimal(String text) {
    try {
      double value = Double.parseDouble(text.replace(",", ""));
      return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    } catch (NumberFormatException notOne) {
      return OptionalDouble.empty();
    }
  }

  static boolean isWhole(String text) {
    return !text.isEmpty() && text.length() < 19 && text.chars().allMatch(Character::isDigit);
  }

  /** A printed figure; a dash or a word is not a number. */
  static double orNaN(String text) {
    return decimal(text).orElse(Double.NaN);
  }

  /** From the time of one call, which is printed with more digits than the bandwidths are. */
  static NetResult timed(
      Collective collective, String variant, long bytes, int ranks, String type, Latency latency) {
    double algbw =
        collective.judgedByTime()
            ? Double.NaN
            : collective.algbw(bytes, ranks, latency.mean() > 0 ? latency.mean() : latency.p50());
    return new NetResult(
        collective,
        variant,
        bytes,
        ranks,
        type,
        algbw,
        collective.busbw(algbw, ranks),
        latency,
        List.of(),
        NetResult.NOT_CHECKED);
  }

  /** From a bandwidth alone. */
  static NetResult streamed(
      Collective collective, String variant, long bytes, double algbw, List<Double> rounds) {
    return new NetResult(
        collective,
        variant,
        bytes,
        2,
        "",
        algbw,
        algbw,
        Latency.UNKNOWN,
        rounds,
        NetResult.NOT_CHECKED);
  }

  /** Whether a figure is what was printed, as far as the digits go. */
  static boolean agrees(double computed, double printed) {
    return Math.abs(computed - printed) <= ROUNDED + ALIKE * Math.abs(printed);
  }

  static String two(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
