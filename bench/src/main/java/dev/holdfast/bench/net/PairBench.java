package dev.holdfast.bench.net;

import dev.holdfast.bench.ledger.LoadSample;
import dev.holdfast.bench.ledger.Manifest.Load;
import dev.holdfast.bench.net.PairFleet.Two;
import dev.holdfast.core.network.blame.Measure;
import dev.holdfast.core.network.blame.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures ranks two by two. Pairs measured at the same time share no rank, so that each has its
 * cards to itself.
 */
public final class PairBench implements AutoCloseable {
  private final PairPlan plan;
  private final PairFleet fleet;
  private final Progress progress;
  private final List<PairResult> results = new ArrayList<>();
  private final Map<Integer, LoadSample> began = new HashMap<>();
  private boolean stopped;

  /** Told after each round. */
  public interface Progress {
    void done(String what, int done, int total);
  }

  private PairBench(PairPlan plan, PairFleet fleet, Progress progress) {
    this.plan = plan;
    this.fleet = fleet;
    this.progress = progress;
  }

  public static PairBench start(PairPlan plan, RankSite site, Progress progress)
      throws IOException {
    PairBench bench = new PairBench(plan, PairFleet.start(plan, site), progress);
    try {
      if (site.remote()) {
        bench.began.putAll(bench.fleet.look());
      }
      return bench;
    } catch (IOException | RuntimeException | Error problem) {
      bench.close();
      throw problem;
    }
  }

  /** What the machines of the ranks are, and the Java of the ranks. */
  public Map<String, String> machines() {
    return fleet.facts();
  }

  /**
   * How busy others kept other hosts since it was started; none if there are none, if they are
   * silent, or were ended early.
   */
  public Optional<Load> load() throws IOException {
    if (began.isEmpty() || stopped) {
      return Optional.empty();
    }
    List<LoadSample> before = new ArrayList<>();
    List<LoadSample> after = new ArrayList<>();
    Map<Integer, LoadSample> now;
    try {
      now = fleet.look();
    } catch (Stopped early) {
      // Every pair is measured; who disturbed is not worth losing them.
      Thread.interrupted();
      return Optional.empty();
    }
    now.forEach(
        (rank, sample) -> {
          LoadSample first = began.get(rank);
          if (first != null) {
            before.add(first);
            after.add(sample);
          }
        });
    return LoadSample.worst(before, after);
  }

  /** Everything measured so far. */
  public List<PairResult> results() {
    return List.copyOf(results);
  }

  /** The address and card of each rank that came. */
  public List<String> cards() {
    return fleet.cards();
  }

  /** Every rank with every other one, or as many of them as there was time for. */
  public List<PairResult> all() throws IOException {
    List<List<Two>> rounds = rounds(plan.ranks());
    try {
      for (int i = 0; i < rounds.size(); i++) {
        results.addAll(PairTrial.round(fleet, plan, rounds.get(i)));
        progress.done("pairs", i + 1, rounds.size());
      }
    } catch (Stopped early) {
      if (results.isEmpty()) {
        throw early;
      }
      // It is heard; who else is asked must not end for it.
      Thread.interrupted();
      stopped = true;
      progress.done("pairs", rounds.size(), rounds.size());
    }
    return results();
  }

  /** Whether somebody ended it before every pair had its turn. */
  public boolean stopped() {
    return stopped;
  }

  /** The circle method: one stays, the others go round; each meets each once. */
  static List<List<Two>> rounds(int ranks) {
    int seats = ranks + ranks % 2;
    List<List<Two>> rounds = new ArrayList<>();
    for (int round = 0; round < seats - 1; round++) {
      List<Two> pairs = new ArrayList<>();
      for (int i = 0; i < seats / 2; i++) {
        int one = i == 0 ? seats - 1 : Math.floorMod(round + i, seats - 1);
        int other = Math.floorMod(round - i, seats - 1);
        if (one < ranks && other < ranks) {
          pairs.add(Two.of(one, other));
        }
      }
      rounds.add(pairs);
    }
    return rounds;
  }

  /**
   * Measures what somebody who looks for a fault asks for.
   *
   * @param names of the endpoint each rank is
   */
  public Measure measure(List<String> names) {
    return (round, pairs) -> {
      List<Two> wanted =
          pairs.stream()
              .map(
                  it ->
                      Two.of(
                          names.indexOf(it.first().toString()),
                          names.indexOf(it.second().toString())))
              .toList();
      try {
        List<PairResult> measured = PairTrial.round(fleet, plan, wanted);
        results.addAll(measured);
        progress.done("round " + round, pairs.size(), pairs.size());
        return measured.stream().map(this::outcome).toList();
      } catch (IOException interrupted) {
        throw new UncheckedIOException(interrupted);
      }
    };
  }

  private Outcome outcome(PairResult result) {
    double goodput = result.goodput(plan.streamSeconds());
    return result.ok() && goodput > 0
        ? new Outcome.Measured(goodput)
        : new Outcome.Failed(result.failed());
  }

  @Override
  public void close() {
    fleet.close();
  }
}
