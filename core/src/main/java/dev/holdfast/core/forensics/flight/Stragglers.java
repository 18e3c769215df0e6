package dev.holdfast.core.forensics.flight;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Does a rank come last again and again?
 *
 * <p>For each collective a rank's own time is what passed between the end of what it did before and
 * its coming. Both are read off the rank's own clock, so clocks of nodes need not agree; and who
 * only waited for a slow one before is not slow itself. Own times are compared within the group: by
 * how much a rank is above the median, summed over the last collectives, as a share of the time
 * they took.
 */
final class Stragglers {
  private static final int LAST = 64;
  private static final int FEWEST = 8;
  private static final double LEAST_SHARE = 0.08;
  private static final double LEAST_OFTEN = 0.5;
  private static final double TIMES_NEXT = 3;

  private Stragglers() {}

  /** The last collectives of one rank in one group: the newest at the end. */
  private static final class Track {
    final long[] sequence = new long[LAST];
    final double[] own = new double[LAST];
    int from = LAST;

    double own(long number) {
      int place = Arrays.binarySearch(sequence, from, LAST, number);
      return place < 0 ? -1 : own[place];
    }
  }

  private static final class Sum {
    double excess;
    int compared;
    int worst;
    long span = 1;
  }

  static Optional<Hypothesis> find(Situation situation) {
    Map<Integer, Map<Integer, Track>> tracks = new HashMap<>();
    Map<Integer, Sum> sums = new HashMap<>();
    for (Standing standing : situation.standings().values()) {
      Sum sum = new Sum();
      sums.put(standing.rank(), sum);
      tracks(standing, sum)
          .forEach(
              (group, track) ->
                  tracks.computeIfAbsent(group, _ -> new HashMap<>()).put(standing.rank(), track));
    }
    tracks.values().stream()
        .filter(members -> members.size() > 1)
        .forEach(members -> compare(members, sums));
    return judge(sums);
  }

  private static Map<Integer, Track> tracks(Standing standing, Sum sum) {
    Entries entries = standing.flight.entries();
    Map<Integer, Track> byGroup = new HashMap<>();
    long newest = 0;
    long oldest = Long.MAX_VALUE;
    int left = LAST * 8;
    for (int i = entries.size() - 1; i > 0 && left > 0; i--) {
      if (entries.pointToPoint[i]) {
        continue;
      }
      Track track = byGroup.computeIfAbsent(entries.group[i], _ -> new Track());
      if (track.from == 0
          || track.from < LAST && track.sequence[track.from] <= entries.sequence[i]) {
        continue;
      }
      left--;
      long come = entries.arrived(i);
      long ready = entries.completed[i - 1];
      ready = ready > 0 && ready <= come ? ready : entries.arrived(i - 1);
      track.from--;
      track.sequence[track.from] = entries.sequence[i];
      track.own[track.from] = Math.max(0, come - ready);
      newest = Math.max(newest, come);
      oldest = Math.min(oldest, ready);
    }
    sum.span = Math.max(1, newest - oldest);
    return byGroup;
  }

  private static void compare(Map<Integer, Track> members, Map<Integer, Sum> sums) {
    Track first = members.values().iterator().next();
    double[] all = new double[members.size()];
    for (int place = first.from; place < LAST; place++) {
      long number = first.sequence[place];
      int count = 0;
      double worst = -1;
      int last = -1;
      for (Map.Entry<Integer, Track> entry : members.entrySet()) {
        double own = entry.getValue().own(number);
        if (own >= 0) {
          all[count++] = own;
          if (own > worst) {
            worst = own;
            last = entry.getKey();
          }
        }
      }
      if (count < members.size()) {
        continue;
      }
      Arrays.sort(all, 0, count);
      double median = all[(count - 1) / 2];
      for (Map.Entry<Integer, Track> entry : members.entrySet()) {
        Sum sum = sums.get(entry.getKey());
        if (sum != null) {
          sum.compared++;
          sum.excess += Math.max(0, entry.getValue().own(number) - median);
          sum.worst += entry.getKey() == last && worst > 1.2 * median ? 1 : 0;
        }
      }
    }
  }

  private static Optional<Hypothesis> judge(Map<Integer, Sum> sums) {
    List<Map.Entry<Integer, Sum>> order = new ArrayList<>(sums.entrySet());
    order.sort((a, b) -> Double.compare(share(b.getValue()), share(a.getValue())));
    if (order.size() < 2) {
      return Optional.empty();
    }
    Sum worst = order.getFirst().getValue();
    double next = share(order.get(1).getValue());
    if (worst.compared < FEWEST
        || share(worst) < LEAST_SHARE
        || share(worst) < TIMES_NEXT * next
        || worst.worst < LEAST_OFTEN * worst.compared) {
      return Optional.empty();
    }
    int rank = order.getFirst().getKey();
    return Optional.of(
        new Hypothesis(
            List.of(rank),
            Cause.SLOWDOWN,
            0.8,
            "Rank %d comes last again and again: its own work takes %.0f %% of the time more than that of the others."
                .formatted(rank, 100 * share(worst)),
            List.of(
                "rank %d took longest for its own work before %d of %d collectives"
                    .formatted(rank, worst.worst, worst.compared),
                "the next slowest rank is above the others by %.1f %% of the time"
                    .formatted(100 * next)),
            List.of()));
  }

  private static double share(Sum sum) {
    return sum.excess / sum.span;
  }
}
