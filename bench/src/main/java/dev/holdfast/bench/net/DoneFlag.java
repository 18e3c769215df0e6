package dev.holdfast.bench.net;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.network.NetText;
import dev.holdfast.core.statistics.MedianInterval;
import dev.holdfast.core.statistics.Robust;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Is any rank done? Programs ask each other that after every step, and the way they do it can cost
 * more than it should: gathering an object, gathering a tensor, or reducing one number.
 *
 * @param rows the dearest way first
 */
public record DoneFlag(int ranks, int rounds, List<Row> rows) {
  public DoneFlag {
    rows = List.copyOf(rows);
  }

  /**
   * One way to ask.
   *
   * @param ratio of its time to that of reducing, the median of the ratios of each round
   */
  public record Row(
      String way, NetResult result, double seconds, double ratio, double low, double high) {
    Map<String, @Nullable Object> tree() {
      return Json.map(
          "way", way,
          "seconds", seconds,
          "p50Seconds", result.latency().p50(),
          "p99Seconds", result.latency().p99(),
          "ratio", ratio,
          "low", low,
          "high", high,
          "wrong", result.wrong() < 0 ? null : result.wrong());
    }
  }

  /** What must be measured, in the order of the ways. */
  public static List<Operation> operations(int ranks, Transport transport) {
    Operation gathered = Operation.of(Collective.ALL_GATHER, 16L * ranks, Element.INT, 0, ranks);
    Operation reduced =
        Operation.of(Collective.ALL_REDUCE, Element.INT.bytes(), Element.INT, 0, ranks);
    // On a GPU the answer is not yet where it is needed.
    return transport == Transport.NCCL
        ? List.of(
            ObjectGather.operation(ranks),
            gathered.by(Algorithm.ANSWER),
            reduced.by(Algorithm.ANSWER))
        : List.of(ObjectGather.operation(ranks), gathered, reduced);
  }

  /** From the results of {@link #operations}. */
  public static DoneFlag of(List<NetResult> results) {
    NetResult reduced = results.get(2);
    return new DoneFlag(
        reduced.ranks(),
        reduced.rounds().size(),
        List.of(
            row("gather an object", results.get(0), reduced),
            row("gather a tensor", results.get(1), reduced),
            row("reduce a number", reduced, reduced)));
  }

  private static Row row(String way, NetResult result, NetResult reduced) {
    List<Double> ours = result.secondsOfRounds();
    List<Double> theirs = reduced.secondsOfRounds();
    double[] ratios =
        IntStream.range(0, Math.min(ours.size(), theirs.size()))
            .mapToDouble(i -> ours.get(i) / theirs.get(i))
            .toArray();
    MedianInterval interval = MedianInterval.of(MedianInterval.USUAL, ratios);
    return new Row(
        way,
        result,
        result.latency().mean(),
        Robust.median(ratios),
        interval.low(),
        interval.high());
  }

  public String words() {
    Row object = rows.getFirst();
    Row tensor = rows.get(1);
    return String.format(
            Locale.ROOT,
            "Here gathering a flag as an object takes %.1f times as long as reducing it (%s against"
                + " %s); gathering it as a tensor %s.",
            object.ratio(),
            NetText.time(object.seconds()),
            NetText.time(rows.getLast().seconds()),
            tensor.low() <= 1 && tensor.high() >= 1
                ? "cannot be told from reducing it"
                : String.format(Locale.ROOT, "takes %.1f times as long", tensor.ratio()))
        + (ranks == 1
            ? " With one rank nothing crosses a link: this is what asking costs on its GPU alone."
            : "");
  }

  public Map<String, @Nullable Object> tree() {
    return Json.map(
        "ranks",
        ranks,
        "rounds",
        rounds,
        "confidence",
        rows.getLast().result().interval().confidence(),
        "ways",
        rows.stream().map(Row::tree).toList(),
        "verdict",
        words());
  }
}
