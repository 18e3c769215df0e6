package dev.holdfast.core.network;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Style;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Results as a table for people: nccl-tests' columns, with the spread beside them. */
public final class NetText {
  private NetText() {}

  public static String table(List<NetResult> results, Style style) {
    boolean rounds = results.stream().anyMatch(it -> it.rounds().size() > 1);
    boolean latency = results.stream().anyMatch(it -> Double.isFinite(it.latency().p99()));
    boolean checked = results.stream().anyMatch(it -> it.wrong() >= 0);
    List<String> heading =
        new ArrayList<>(List.of("what", "ranks", "size", "time", "algbw", "busbw"));
    if (latency) {
      heading.addAll(List.of("p50", "p99"));
    }
    if (rounds) {
      heading.addAll(List.of("rounds", "spread"));
    }
    if (checked) {
      heading.add("wrong");
    }
    Set<Integer> numbers = new HashSet<>();
    for (int i = 1; i < heading.size(); i++) {
      numbers.add(i);
    }
    Columns table = new Columns(numbers, heading.toArray(String[]::new));
    for (NetResult result : results) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  what(result.key()),
                  Integer.toString(result.ranks()),
                  result.bytes() == 0 ? "" : Bytes.of(result.bytes()).toString(),
                  time(result.latency().mean()),
                  bandwidth(result.algbw()),
                  bandwidth(result.busbw())));
      if (latency) {
        cells.addAll(List.of(time(result.latency().p50()), time(result.latency().p99())));
      }
      if (rounds) {
        cells.addAll(List.of(Integer.toString(result.figures().size()), spread(result.rounds())));
      }
      if (checked) {
        cells.add(result.wrong() < 0 ? "" : Long.toString(result.wrong()));
      }
      table.add(cells);
    }
    return table.text(style);
  }

  /** The operation with its variant and type: {@code all_reduce in-place float}. */
  public static String what(NetResult.Key key) {
    return String.join(
        " ",
        List.of(key.collective().word(), key.variant(), key.type()).stream()
            .filter(it -> !it.isEmpty())
            .toList());
  }

  /** In the unit it is judged by: GB/s, or a time. */
  public static String figure(Collective collective, double value) {
    return collective.judgedByTime() ? time(value) : bandwidth(value) + " GB/s";
  }

  public static String bandwidth(double gigabytes) {
    if (!Double.isFinite(gigabytes)) {
      return "";
    }
    int decimals = gigabytes >= 100 ? 1 : gigabytes >= 1 ? 2 : gigabytes >= 0.01 ? 4 : 6;
    return String.format(Locale.ROOT, "%." + decimals + "f", gigabytes);
  }

  public static String time(double seconds) {
    if (!Double.isFinite(seconds)) {
      return "";
    }
    if (seconds < 1e-3) {
      return String.format(Locale.ROOT, "%.2f µs", seconds * 1e6);
    }
    return seconds < 1
        ? String.format(Locale.ROOT, "%.2f ms", seconds * 1e3)
        : String.format(Locale.ROOT, "%.3f s", seconds);
  }

  /** From the lowest to the highest round, of their middle. */
  private static String spread(List<Double> rounds) {
    if (rounds.size() < 2) {
      return "";
    }
    double low = rounds.stream().mapToDouble(it -> it).min().orElse(Double.NaN);
    double high = rounds.stream().mapToDouble(it -> it).max().orElse(Double.NaN);
    return String.format(Locale.ROOT, "%.1f %%", 200 * (high - low) / (high + low));
  }
}
