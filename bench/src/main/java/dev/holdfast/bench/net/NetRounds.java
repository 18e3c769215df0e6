package dev.holdfast.bench.net;

import dev.holdfast.bench.ledger.Manifest.Load;
import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.text.Counted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * The rounds of a measurement: which are made, and which count. Noisy ones are made again, at most
 * as many as were asked for; then those count in which others did least. What came out of a round
 * is never a reason to keep it or to leave it out.
 */
final class NetRounds {
  private final int asked;
  private final boolean again;
  private final List<NetRound> all = new ArrayList<>();

  NetRounds(int asked, boolean again) {
    this.asked = asked;
    this.again = again;
  }

  /** Whether one more is to be made. */
  boolean more() {
    return all.size() < asked || again && all.size() < 2 * asked && quiet() < asked;
  }

  private long quiet() {
    return all.stream().filter(NetRound::quiet).count();
  }

  void add(NetRound round) {
    all.add(round);
  }

  /** It was cut short, and only complete ones are wanted. */
  void dropLast() {
    all.removeLast();
  }

  int made() {
    return all.size();
  }

  /** How many there will be, as far as is known now. */
  int expected() {
    return Math.max(asked, all.size());
  }

  /** Those that count, in the order they were made. */
  List<NetRound> kept() {
    List<NetRound> best =
        all.stream().sorted(Comparator.comparingDouble(NetRound::noise)).limit(asked).toList();
    return all.stream().filter(best::contains).toList();
  }

  /** How busy the machine was in those that count; none where they were too short to tell. */
  List<Load> load() {
    return kept().stream()
        .flatMap(it -> it.load().stream())
        .reduce(Load::and)
        .map(List::of)
        .orElse(List.of());
  }

  /** What a reader must know of it. */
  List<String> notes() {
    long noisy = all.stream().filter(it -> !it.quiet() && Double.isFinite(it.noise())).count();
    if (noisy == 0) {
      return List.of();
    }
    int more = Math.max(0, all.size() - asked);
    long left = kept().stream().filter(it -> !it.quiet()).count();
    double others =
        all.stream().flatMap(it -> it.load().stream()).mapToDouble(Load::others).max().orElse(0);
    String what =
        String.format(
            Locale.ROOT,
            "%d of %s %s noisy (others used up to %.1f cores)",
            noisy,
            Counted.of(all.size(), "round"),
            noisy == 1 ? "was" : "were",
            others);
    if (more == 0) {
      return List.of(what + "; none was measured again");
    }
    return List.of(
        "%s; %s measured again; %s"
            .formatted(
                what,
                were(more),
                left == 0
                    ? "only quiet ones count"
                    : left == 1
                        ? "1 noisy one counts, that with the least noise"
                        : left + " noisy ones count, those with the least noise"));
  }

  private static String were(int count) {
    return count == 1 ? "1 was" : count + " were";
  }

  /**
   * Of the rounds that count, what was measured.
   *
   * @param wrong how many values were, by operation; none where nobody checked
   */
  List<NetResult> results(NetPlan plan, Map<Operation, Long> wrong) {
    List<NetResult> results = new ArrayList<>();
    for (Operation operation : plan.operations()) {
      List<double[]> calls =
          kept().stream().map(it -> it.calls(operation)).filter(it -> it.length > 0).toList();
      if (!calls.isEmpty()) {
        results.add(
            NetResult.of(
                operation.collective(),
                plan.transport().word() + " " + operation.algorithm().word(),
                operation.bytes(),
                plan.ranks(),
                operation.element().word(),
                Latency.of(calls.stream().flatMapToDouble(DoubleStream::of).toArray()),
                wrong.getOrDefault(operation, NetResult.NOT_CHECKED),
                calls.stream()
                    .mapToDouble(it -> Arrays.stream(it).average().orElse(Double.NaN))
                    .toArray()));
      }
    }
    return results;
  }
}
