package dev.holdfast.bench.net;

import dev.holdfast.bench.net.PairFleet.Two;
import dev.holdfast.core.network.Collective;
import dev.holdfast.core.statistics.Robust;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures a round of pairs that share no rank, all at the same time: exchanges of small messages,
 * some of 64 KiB to see how fast it is about, then a stream.
 */
final class PairTrial {
  static final long PROBE_BYTES = 64 << 10;
  private static final int PROBES = 4;

  static final int SMALL_BYTES = 8;

  /** So many exchanges at a time; a pair that stalls too long has told enough. */
  private static final int PORTION = 50;

  private static final double ENOUGH_STALLED = 3;

  /** TCP waits at least a fifth of a second before it sends something lost again. */
  static final double STALL = 0.15;

  /** So many stalls may come from a busy machine. */
  static final int LUCK = 2;

  private static final int LEAST_WINDOWS = 3;
  private static final int MOST_WINDOWS = 2000;

  /** A window that would take longer is not worth waiting for: it is slow, and known to be. */
  private static final double LONGEST_WINDOW = 5;

  private final PairFleet fleet;
  private final PairPlan plan;
  private final Map<Two, String> failed = new HashMap<>();
  private final Map<Two, List<Double>> exchanges = new HashMap<>();
  private final Map<Two, Double> bandwidth = new HashMap<>();

  private PairTrial(PairFleet fleet, PairPlan plan) {
    this.fleet = fleet;
    this.plan = plan;
  }

  /**
   * The round; pairs that are slow in it have a second try, together. A fault is there twice, what
   * else the machine did at that moment is not.
   */
  static List<PairResult> round(PairFleet fleet, PairPlan plan, List<Two> pairs)
      throws IOException {
    List<PairResult> first = once(fleet, plan, pairs);
    List<Two> slow = slow(first, plan.streamSeconds());
    return slow.isEmpty() ? first : better(first, once(fleet, plan, slow), plan.streamSeconds());
  }

  /** Those that got through, but are worth far less than most. */
  static List<Two> slow(List<PairResult> results, double seconds) {
    double typical =
        Robust.median(
            results.stream()
                .filter(PairResult::ok)
                .mapToDouble(it -> it.goodput(seconds))
                .toArray());
    return results.stream()
        .filter(it -> it.ok() && it.goodput(seconds) < PairReport.SLOW * typical)
        .map(it -> Two.of(it.first(), it.second()))
        .toList();
  }

  /** Of each pair the better try. */
  static List<PairResult> better(List<PairResult> first, List<PairResult> again, double seconds) {
    Map<Two, PairResult> second = new HashMap<>();
    again.stream()
        .filter(PairResult::ok)
        .forEach(it -> second.put(Two.of(it.first(), it.second()), it));
    return first.stream()
        .map(
            it -> {
              PairResult other = second.get(Two.of(it.first(), it.second()));
              return other != null && other.goodput(seconds) > it.goodput(seconds) ? other : it;
            })
        .toList();
  }

  private static List<PairResult> once(PairFleet fleet, PairPlan plan, List<Two> pairs)
      throws IOException {
    PairTrial trial = new PairTrial(fleet, plan);
    trial.run(pairs);
    List<PairResult> results = new ArrayList<>();
    for (Two pair : pairs) {
      results.add(trial.result(pair));
    }
    return results;
  }

  private void run(List<Two> pairs) throws IOException {
    for (Two pair : pairs) {
      for (int rank : List.of(pair.first(), pair.second())) {
        if (!fleet.missing(rank).isEmpty()) {
          failed.putIfAbsent(pair, fleet.name(rank) + " takes no part: " + fleet.missing(rank));
        }
      }
    }
    failed.putAll(fleet.meet(left(pairs)));
    for (int done = 0; done < plan.exchanges(); done += PORTION) {
      exchange(left(pairs), Math.min(PORTION, plan.exchanges() - done));
    }
    probe(left(pairs));
    stream(left(pairs));
  }

  private List<Two> left(List<Two> pairs) {
    return pairs.stream().filter(it -> !failed.containsKey(it)).toList();
  }

  private void exchange(List<Two> pairs, int often) throws IOException {
    Map<Two, Integer> wanted = new HashMap<>();
    for (Two pair : pairs) {
      if (stalled(pair) < ENOUGH_STALLED) {
        wanted.put(pair, often);
      }
    }
    time(Collective.LATENCY, SMALL_BYTES, wanted)
        .forEach(
            (pair, nanos) ->
                Arrays.stream(nanos)
                    .forEach(
                        it ->
                            exchanges.computeIfAbsent(pair, _ -> new ArrayList<>()).add(it / 1e9)));
  }

  private void probe(List<Two> pairs) throws IOException {
    Map<Two, Integer> wanted = new HashMap<>();
    pairs.forEach(it -> wanted.put(it, PROBES));
    time(Collective.LATENCY, PROBE_BYTES, wanted)
        .forEach(
            (pair, nanos) -> {
              // The best of a few: how fast it can be, whatever was lost meanwhile.
              double best = Arrays.stream(nanos).min().orElse(1) / 1e9;
              bandwidth.put(pair, 2 * PROBE_BYTES / best);
            });
  }

  private void stream(List<Two> pairs) throws IOException {
    double window = (double) plan.bytes() * Schedule.WINDOW;
    Map<Two, Integer> wanted = new HashMap<>();
    for (Two pair : pairs) {
      double about = bandwidth.getOrDefault(pair, 0.0);
      if (about > 0 && window / about < LONGEST_WINDOW) {
        wanted.put(
            pair,
            (int) Math.clamp(plan.streamSeconds() * about / window, LEAST_WINDOWS, MOST_WINDOWS));
      }
    }
    time(Collective.BANDWIDTH, plan.bytes(), wanted)
        .forEach(
            (pair, nanos) ->
                bandwidth.put(pair, window * nanos.length / (Arrays.stream(nanos).sum() / 1e9)));
  }

  private Map<Two, long[]> time(Collective collective, long bytes, Map<Two, Integer> wanted)
      throws IOException {
    if (wanted.isEmpty()) {
      return Map.of();
    }
    double patience = Math.max(60, 4 * plan.silenceSeconds());
    return fleet.time(
        wanted,
        Operation.of(collective, bytes, Element.FLOAT, 0, 2),
        (long) (patience * 1e9),
        failed);
  }

  private double stalled(Two pair) {
    return exchanges.getOrDefault(pair, List.of()).stream()
        .mapToDouble(Double::doubleValue)
        .filter(it -> it > STALL)
        .sum();
  }

  private PairResult result(Two pair) {
    String why = failed.get(pair);
    double[] sorted =
        exchanges.getOrDefault(pair, List.of()).stream().mapToDouble(it -> it).sorted().toArray();
    if (why != null || sorted.length == 0 || !bandwidth.containsKey(pair)) {
      return PairResult.failed(pair.first(), pair.second(), why == null ? "" : why);
    }
    // Fewer exchanges were made where they stall; as if all had been.
    double stalled =
        Arrays.stream(sorted, 0, Math.max(0, sorted.length - LUCK)).filter(it -> it > STALL).sum()
            * plan.exchanges()
            / sorted.length;
    return new PairResult(
        pair.first(),
        pair.second(),
        bandwidth.getOrDefault(pair, 0.0) / 1e9,
        sorted[sorted.length / 2] / 2,
        sorted[Math.min(sorted.length - 1, sorted.length * 99 / 100)] / 2,
        (int) Arrays.stream(sorted).filter(it -> it > STALL).count(),
        stalled,
        sorted.length,
        "");
  }
}
