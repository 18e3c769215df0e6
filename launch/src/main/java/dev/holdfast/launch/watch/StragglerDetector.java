package dev.holdfast.launch.watch;

import dev.holdfast.launch.job.RankActivity;
import dev.holdfast.launch.job.StepTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Which ranks, or which nodes, hold the others up?
 *
 * <p>In synchronous training every rank's step lasts as long as the slowest one's, so the length of
 * steps says nothing. Two things do, each over {@value Contest#WINDOW} rounds:
 *
 * <ul>
 *   <li><b>Who tells last.</b> The times at which ranks tell of the same step differ by what each
 *       did alone since they last met: told of as {@link #arrived}. All times must be by one clock;
 *       of those of other nodes that is so within {@value #CLOCK_SECONDS} s, so nodes must differ
 *       by more.
 *   <li><b>Who waits least.</b> Where ranks sleep while they wait, the one that works on while the
 *       others sleep holds them up: told of as {@link #worked}. Where waiting burns CPU it says
 *       nothing, and finds nobody.
 * </ul>
 *
 * <p>Ranks are compared with those of their node, nodes with each other ({@link Heats}). A
 * straggler is late, or works longer, by at least 5 % in the middle of the window, and is the first
 * in that more often than chance allows (p below 1e-4). Only a warning follows.
 *
 * <p>Not for several threads at once.
 */
public final class StragglerDetector {
  private static final double LEAST_EFFECT = 0.05;
  private static final double CLOCK_SECONDS = 0.02;

  private final List<Integer> ranks;
  private final Map<Integer, Integer> places = new HashMap<>();
  private final List<String> nodes = new ArrayList<>();
  private final int[] nodeOf;
  private final String[] devices;
  private final Arrivals arrivals;
  private final Heats late;
  private final Heats busy;
  private final double[] cpuBefore;

  /**
   * Who holds the others up.
   *
   * @param rank −1: a whole node
   * @param device of the rank, empty: not known
   * @param share by how much, of a step's length or of the time it works
   * @param probability that an ordinary one came first so often
   */
  public record Straggler(
      int rank,
      String node,
      String device,
      boolean byWork,
      double share,
      int first,
      double probability) {
    /** One line for an operator. */
    public String text() {
      boolean whole = rank < 0;
      String who =
          whole
              ? "all ranks on " + node
              : "rank "
                  + rank
                  + (node.isEmpty() ? "" : " on " + node)
                  + (device.isEmpty() ? "" : " (" + device + ")");
      String does =
          byWork
              ? (whole ? "work" : "works") + " longer than the others, which wait,"
              : (whole ? "end their" : "ends its") + " steps last,";
      return String.format(
          Locale.ROOT,
          "%s %s by %.0f %%: first in that in %d of %d rounds (by chance: p = %.1g)",
          who,
          does,
          100 * share,
          first,
          Contest.WINDOW,
          probability);
    }
  }

  /**
   * @param ranks all that are compared
   * @param node of each rank; empty text: not known
   */
  public StragglerDetector(List<Integer> ranks, IntFunction<String> node) {
    this.ranks = List.copyOf(ranks);
    this.nodeOf = new int[ranks.size()];
    this.devices = new String[ranks.size()];
    this.cpuBefore = new double[ranks.size()];
    Map<String, Integer> numbers = new LinkedHashMap<>();
    for (int i = 0; i < nodeOf.length; i++) {
      places.put(ranks.get(i), i);
      devices[i] = "";
      cpuBefore[i] = -1;
      nodeOf[i] = numbers.computeIfAbsent(node.apply(ranks.get(i)), _ -> numbers.size());
    }
    nodes.addAll(numbers.keySet());
    this.arrivals = new Arrivals(nodeOf.length);
    this.late = new Heats(nodeOf, nodes.size());
    this.busy = new Heats(nodeOf, nodes.size());
  }

  /** The rank told of this step at that time, in seconds of the one clock. */
  public void arrived(int rank, long step, double seconds) {
    Integer place = places.get(rank);
    double[] times = place == null ? null : arrivals.arrived(place, step, seconds);
    if (times != null) {
      late.round(times);
    }
  }

  /** The same of all ranks, as they come from their nodes; saying it again changes nothing. */
  public void arrived(List<RankActivity> activities) {
    for (RankActivity activity : activities) {
      for (StepTime time : activity.stepTimes()) {
        arrived(activity.rank(), time.step(), time.seconds());
      }
    }
  }

  /** How much CPU time each rank used since the last call; call every few seconds of steps. */
  public void worked(List<RankActivity> activities) {
    double[] used = new double[nodeOf.length];
    Arrays.fill(used, Double.NaN);
    double most = 0;
    int known = 0;
    for (RankActivity activity : activities) {
      Integer place = places.get(activity.rank());
      if (place == null) {
        continue;
      }
      double seconds = activity.cpuSeconds() - cpuBefore[place];
      if (cpuBefore[place] >= 0 && seconds >= 0) {
        used[place] = seconds;
        most = Math.max(most, seconds);
        known++;
      }
      cpuBefore[place] = activity.cpuSeconds();
      devices[place] = activity.load().name();
    }
    if (known == used.length && most > 0) {
      for (int i = 0; i < used.length; i++) {
        used[i] /= most;
      }
      busy.round(used);
    }
  }

  /** Who holds the others up now, nodes first, the worst first; empty while too little was seen. */
  public List<Straggler> stragglers() {
    List<Straggler> found = new ArrayList<>();
    double length = arrivals.stepSeconds();
    if (length > 0) {
      double least = LEAST_EFFECT * length;
      for (Contest.Winner winner : late.nodes(Math.max(least, CLOCK_SECONDS))) {
        found.add(node(winner, false, winner.above() / length));
      }
      for (Contest.Winner winner : late.ranks(least)) {
        found.add(rank(winner, false, winner.above() / length));
      }
    }
    List<Straggler> working = new ArrayList<>();
    busy.nodes(LEAST_EFFECT).forEach(winner -> working.add(node(winner, true, winner.above())));
    busy.ranks(LEAST_EFFECT).forEach(winner -> working.add(rank(winner, true, winner.above())));
    for (Straggler worker : working) {
      if (found.stream()
          .noneMatch(
              known -> known.rank() == worker.rank() && known.node().equals(worker.node()))) {
        found.add(worker);
      }
    }
    return found;
  }

  /** A node with one rank is that rank. */
  private Straggler node(Contest.Winner winner, boolean byWork, double share) {
    int only = -1;
    int many = 0;
    for (int i = 0; i < nodeOf.length; i++) {
      if (nodeOf[i] == winner.competitor()) {
        only = i;
        many++;
      }
    }
    return new Straggler(
        many == 1 ? ranks.get(only) : -1,
        nodes.get(winner.competitor()),
        many == 1 ? devices[only] : "",
        byWork,
        share,
        winner.wins(),
        winner.probability());
  }

  private Straggler rank(Contest.Winner winner, boolean byWork, double share) {
    int place = winner.competitor();
    return new Straggler(
        ranks.get(place),
        nodes.get(nodeOf[place]),
        devices[place],
        byWork,
        share,
        winner.wins(),
        winner.probability());
  }
}
