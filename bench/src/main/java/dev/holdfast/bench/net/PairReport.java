package dev.holdfast.bench.net;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.statistics.Robust;
import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What every pair of ranks reached, for people and programs.
 *
 * @param names of the ranks, by number
 * @param cards the address and card of each rank
 */
public record PairReport(
    PairPlan plan, List<String> names, List<String> cards, List<PairResult> results) {
  /** Less than this of what others reach is worth a word. */
  static final double SLOW = 0.75;

  public PairReport {
    names = List.copyOf(names);
    cards = List.copyOf(cards);
    results = List.copyOf(results);
  }

  /**
   * Names of ranks: hosts, with the card where they have several, or a number where a host has
   * several ranks.
   */
  public static List<String> names(RankSite site, int ranks) {
    if (site.remote() && site.networks().size() > 1) {
      return IntStream.range(0, ranks)
          .mapToObj(rank -> site.hosts().get(rank) + "/" + site.network(rank))
          .toList();
    }
    return names(site.hosts(), ranks);
  }

  static List<String> names(List<String> hosts, int ranks) {
    List<String> names = new ArrayList<>();
    Map<String, Integer> before = new HashMap<>();
    for (int rank = 0; rank < ranks; rank++) {
      if (hosts.isEmpty()) {
        names.add(Integer.toString(rank));
      } else {
        String host = hosts.get(rank);
        int number = before.merge(host, 1, Integer::sum) - 1;
        boolean several = hosts.stream().filter(host::equals).count() > 1;
        names.add(several ? host + ":" + number : host);
      }
    }
    return names;
  }

  /** The middle of all that got through; not a number when nothing did. */
  public double typical() {
    return Robust.median(
        results.stream()
            .filter(PairResult::ok)
            .mapToDouble(PairResult::gigabytesPerSecond)
            .toArray());
  }

  public double typicalLatency() {
    return Robust.median(
        results.stream().filter(PairResult::ok).mapToDouble(PairResult::latencySeconds).toArray());
  }

  /** By both numbers of a pair, whichever comes first. */
  @Nullable PairResult[][] matrix() {
    @Nullable PairResult[][] matrix = new PairResult[names.size()][names.size()];
    for (PairResult result : results) {
      matrix[result.first()][result.second()] = result;
      matrix[result.second()][result.first()] = result;
    }
    return matrix;
  }

  String pair(PairResult result) {
    return names.get(result.first()) + " - " + names.get(result.second());
  }

  /** For the ledger: what each pair that got through reached, in one round. */
  public List<NetResult> kept() {
    return results.stream()
        .filter(PairResult::ok)
        .sorted(Comparator.comparingInt(PairResult::first).thenComparing(PairResult::second))
        .flatMap(this::kept)
        .toList();
  }

  private Stream<NetResult> kept(PairResult result) {
    String streams = plan.streams() == 1 ? "" : " with " + plan.streams() + " streams";
    String variant = plan.transport().word() + " " + pair(result) + streams;
    double stream = result.gigabytesPerSecond();
    Latency latency =
        new Latency(
            Double.NaN, Double.NaN, result.latencySeconds(), result.worstSeconds(), Double.NaN);
    return Stream.of(
        new NetResult(
            Collective.BANDWIDTH,
            variant,
            plan.bytes(),
            2,
            "",
            stream,
            stream,
            Latency.UNKNOWN,
            List.of(),
            NetResult.NOT_CHECKED),
        new NetResult(
            Collective.LATENCY,
            variant,
            PairTrial.SMALL_BYTES,
            2,
            "",
            Double.NaN,
            Double.NaN,
            latency,
            List.of(),
            NetResult.NOT_CHECKED));
  }

  /** Pairs between which nothing was measured, and why. */
  public List<String> failures() {
    return results.stream()
        .filter(it -> !it.ok())
        .map(it -> pair(it) + " failed: " + it.failed())
        .toList();
  }

  /** Those that failed, lose packets or are clearly slower than others; the worst first. */
  public List<PairResult> worth() {
    double typical = typical();
    return results.stream()
        .filter(
            it ->
                !it.ok()
                    || it.stalls() > PairTrial.LUCK
                    || it.gigabytesPerSecond() < SLOW * typical)
        .sorted(
            Comparator.comparing(PairResult::ok)
                .thenComparing(it -> -it.stallShare())
                .thenComparing(PairResult::gigabytesPerSecond))
        .toList();
  }

  public Map<String, @Nullable Object> tree() {
    double typical = typical();
    double latency = typicalLatency();
    return Json.map(
        "ranks",
        names,
        "cards",
        cards,
        "transport",
        plan.transport().word(),
        "streams",
        plan.streams(),
        "messageBytes",
        plan.bytes(),
        "typicalGigabytesPerSecond",
        Double.isNaN(typical) ? null : typical,
        "typicalLatencySeconds",
        Double.isNaN(latency) ? null : latency,
        "pairs",
        results.stream().map(PairResult::tree).toList());
  }
}
