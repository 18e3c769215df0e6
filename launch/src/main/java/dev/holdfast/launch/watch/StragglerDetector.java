package dev.holdfast.launch.watch;

import dev.holdfast.core.statistics.Robust;
import dev.holdfast.launch.job.RankActivity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Which ranks hold the others up?
 *
 * <p>In synchronous training every rank's step lasts as long as the slowest one's, so the length of
 * steps says nothing. Two things do, each over {@value Contest#WINDOW} rounds:
 *
 * <ul>
 *   <li><b>Who tells last.</b> The times at which ranks tell of the same step differ by what each
 *       did alone since they last met: told of as {@link #arrived}. Clocks of nodes may disagree,
 *       so a rank is compared with those of its own node unless the clocks are known to agree.
 *   <li><b>Who waits least.</b> Where ranks sleep while they wait, the one that works on while the
 *       others sleep holds them up: told of as {@link #worked}. Where waiting burns CPU it says
 *       nothing, and finds nobody.
 * </ul>
 *
 * <p>A straggler is late, or works longer, by at least 5 % in the middle of the window, and is the
 * first in that more often than chance allows (p below 1e-4). Only a warning follows.
 *
 * <p>Not for several threads at once.
 */
public final class StragglerDetector {
  private static final int MOST_OPEN_STEPS = 64;
  private static final double LEAST_EFFECT = 0.05;

  private final IntFunction<String> nodeOf;
  private final boolean clocksAgree;
  private final TreeMap<Long, Map<Integer, Double>> open = new TreeMap<>();
  private final Contest late = new Contest();
  private final Contest busy = new Contest();
  private final Map<Integer, Double> cpuBefore = new HashMap<>();
  private final Deque<Double> lengths = new ArrayDeque<>();
  private double lastStepAt = Double.NaN;
  private long lastStep = -1;
  private int ranks;

  /**
   * A rank that holds the others up.
   *
   * @param share by how much, of a step's length or of the time it works
   * @param probability that an ordinary rank came first so often
   */
  public record Straggler(
      int rank, String node, boolean byWork, double share, int first, double probability) {
    /** One line for an operator. */
    public String text() {
      return String.format(
          Locale.ROOT,
          "rank %d%s %s by %.0f %%: first in that in %d of %d rounds (by chance: p = %.1g)",
          rank,
          node.isEmpty() ? "" : " on " + node,
          byWork ? "works longer than the others, which wait," : "ends its steps last,",
          100 * share,
          first,
          Contest.WINDOW,
          probability);
    }
  }

  public StragglerDetector(int ranks, IntFunction<String> nodeOf, boolean clocksAgree) {
    this.ranks = ranks;
    this.nodeOf = nodeOf;
    this.clocksAgree = clocksAgree;
  }

  /** The rank told of this step at that time, in seconds of its node's clock. */
  public void arrived(int rank, long step, double seconds) {
    if (step <= lastStep || !Double.isFinite(seconds)) {
      return;
    }
    Map<Integer, Double> times = open.computeIfAbsent(step, _ -> new HashMap<>());
    times.putIfAbsent(rank, seconds);
    if (times.size() >= ranks) {
      close(step, times);
      open.headMap(step, true).clear();
    } else if (open.size() > MOST_OPEN_STEPS) {
      open.pollFirstEntry();
    }
  }

  private void close(long step, Map<Integer, Double> times) {
    double median =
        Robust.median(times.values().stream().mapToDouble(Double::doubleValue).toArray());
    if (!Double.isNaN(lastStepAt) && median > lastStepAt) {
      lengths.addLast((median - lastStepAt) / (step - lastStep));
      if (lengths.size() > Contest.WINDOW) {
        lengths.removeFirst();
      }
    }
    lastStepAt = median;
    lastStep = step;
    Map<Integer, Double> lateness = new HashMap<>();
    times.forEach(
        (rank, at) -> lateness.put(rank, at - (clocksAgree ? median : nodeMedian(rank, times))));
    late.round(lateness);
  }

  private double nodeMedian(int rank, Map<Integer, Double> times) {
    String node = nodeOf.apply(rank);
    return Robust.median(
        times.entrySet().stream()
            .filter(entry -> nodeOf.apply(entry.getKey()).equals(node))
            .mapToDouble(Map.Entry::getValue)
            .toArray());
  }

  /** How much CPU time each rank used since the last call; call every few seconds of steps. */
  public void worked(List<RankActivity> activities) {
    Map<Integer, Double> used = new HashMap<>();
    for (RankActivity activity : activities) {
      Double before = cpuBefore.put(activity.rank(), activity.cpuSeconds());
      if (before != null && activity.cpuSeconds() >= before && before >= 0) {
        used.put(activity.rank(), activity.cpuSeconds() - before);
      }
    }
    double most = used.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    if (used.size() == ranks && most > 0) {
      used.replaceAll((_, seconds) -> seconds / most);
      busy.round(used);
    }
  }

  /** Who holds the others up now, the worst first; empty while too little was seen. */
  public List<Straggler> stragglers() {
    List<Straggler> found = new ArrayList<>();
    double length = Robust.median(lengths.stream().mapToDouble(Double::doubleValue).toArray());
    if (length > 0) {
      for (Contest.Winner winner : late.winners(LEAST_EFFECT * length)) {
        found.add(straggler(winner, false, winner.above() / length));
      }
    }
    for (Contest.Winner winner : busy.winners(LEAST_EFFECT)) {
      if (found.stream().noneMatch(known -> known.rank() == winner.rank())) {
        found.add(straggler(winner, true, winner.above()));
      }
    }
    return found;
  }

  private Straggler straggler(Contest.Winner winner, boolean byWork, double share) {
    String node = nodeOf.apply(winner.rank());
    return new Straggler(winner.rank(), node, byWork, share, winner.wins(), winner.probability());
  }

  /** Other processes run the ranks from now on. */
  public void attemptBegins(int howMany) {
    ranks = howMany;
    open.clear();
    late.clear();
    busy.clear();
    cpuBefore.clear();
    lengths.clear();
    lastStepAt = Double.NaN;
    lastStep = -1;
  }
}
