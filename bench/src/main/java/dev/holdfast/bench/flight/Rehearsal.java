package dev.holdfast.bench.flight;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Lets a job run until nothing moves any more. A rank's processor gives calls to its device in
 * order and may be some calls ahead; the device runs them in order; a call ends when everybody has
 * begun the one that belongs to it. Times in nanoseconds.
 */
final class Rehearsal {
  static final long NEVER = Long.MAX_VALUE;

  final List<List<Step>> steps;
  final long[][] given;
  final long[][] begun;
  final long[][] ended;

  /** How many calls each rank's device has ended. */
  final int[] at;

  private final int ahead;
  private final int[] stops;
  private final int[] deviceStops;
  private final Map<Integer, Integer> lost;
  private final double[] pace;
  private final boolean slowDevice;
  private final SplittableRandom random;
  private final List<List<String>> keys = new ArrayList<>();
  private final Map<String, List<int[]>> there = new HashMap<>();
  private final Map<String, Integer> expected = new HashMap<>();

  /**
   * A job that is about to run.
   *
   * @param ahead how many calls a processor may be ahead of its device
   * @param stops the call before which each rank's program hangs
   * @param deviceStops the call which each rank's device never begins
   * @param lost rank and call that never ends though all begin it
   * @param pace how much slower each rank works
   * @param slowDevice whether it is the device that is slow, not the processor
   */
  Rehearsal(
      List<List<Step>> steps,
      int ahead,
      int[] stops,
      int[] deviceStops,
      Map<Integer, Integer> lost,
      double[] pace,
      boolean slowDevice,
      SplittableRandom random) {
    this.steps = steps;
    this.ahead = ahead;
    this.stops = stops;
    this.deviceStops = deviceStops;
    this.lost = lost;
    this.pace = pace;
    this.slowDevice = slowDevice;
    this.random = random;
    int ranks = steps.size();
    given = new long[ranks][];
    begun = new long[ranks][];
    ended = new long[ranks][];
    at = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      int calls = steps.get(rank).size();
      given[rank] = never(calls);
      begun[rank] = never(calls);
      ended[rank] = never(calls);
      keys.add(keys(rank));
    }
    run();
    for (int rank = 0; rank < ranks; rank++) {
      for (int call = at[rank]; call < given[rank].length && give(rank, call); call++) {}
    }
  }

  private static long[] never(int calls) {
    long[] times = new long[calls];
    Arrays.fill(times, NEVER);
    return times;
  }

  /** Under which name each call of a rank meets those of others. */
  private List<String> keys(int rank) {
    Map<String, Integer> counts = new HashMap<>();
    List<String> names = new ArrayList<>();
    for (Step step : steps.get(rank)) {
      boolean sends = step.what().equals("send");
      String place =
          step.transfer()
              ? step.team().name()
                  + ":"
                  + (sends ? rank : step.peer())
                  + ">"
                  + (sends ? step.peer() : rank)
              : String.valueOf(step.team().name());
      String name = place + "#" + counts.merge(place, 1, Integer::sum);
      names.add(name);
      expected.put(name, step.transfer() ? 2 : step.team().ranks().size());
    }
    return names;
  }

  String key(int rank, int call) {
    return keys.get(rank).get(call);
  }

  private void run() {
    boolean moved = true;
    while (moved) {
      moved = false;
      for (int rank = 0; rank < steps.size(); rank++) {
        moved |= begin(rank);
      }
    }
  }

  private boolean give(int rank, int call) {
    if (call >= stops[rank]) {
      return false;
    }
    if (given[rank][call] != NEVER) {
      return true;
    }
    long earlier = call == 0 ? 0 : given[rank][call - 1];
    long room = call - ahead - 1 < 0 ? 0 : ended[rank][call - ahead - 1];
    if (earlier == NEVER || room == NEVER) {
      return false;
    }
    double work = (ahead == 0 ? 10e6 : 1e6) * (0.95 + random.nextDouble() * 0.1);
    given[rank][call] = Math.max(earlier, room) + (long) (work * (slowDevice ? 1 : pace[rank]));
    return true;
  }

  private boolean begin(int rank) {
    int call = at[rank];
    if (call >= begun[rank].length
        || call >= deviceStops[rank]
        || begun[rank][call] != NEVER
        || !give(rank, call)) {
      return false;
    }
    long free = call == 0 ? 0 : ended[rank][call - 1];
    double work = (ahead == 0 ? 0.2e6 : 10e6) * (0.95 + random.nextDouble() * 0.1);
    begun[rank][call] =
        Math.max(given[rank][call], free) + (long) (work * (slowDevice ? pace[rank] : 1));
    String key = key(rank, call);
    List<int[]> all = there.computeIfAbsent(key, _ -> new ArrayList<>());
    all.add(new int[] {rank, call});
    if (all.size() == expected.getOrDefault(key, 0) && agree(all)) {
      long last = 0;
      for (int[] one : all) {
        last = Math.max(last, begun[one[0]][one[1]]);
      }
      for (int[] one : all) {
        ended[one[0]][one[1]] = last + 300_000;
        at[one[0]]++;
      }
    }
    return true;
  }

  private boolean agree(List<int[]> all) {
    int[] first = all.getFirst();
    Step one = steps.get(first[0]).get(first[1]);
    return all.stream()
        .allMatch(
            it -> steps.get(it[0]).get(it[1]).fits(one) && lost.getOrDefault(it[0], -1) != it[1]);
  }

  /** Whether the device of a rank waits in a call it began. */
  boolean waits(int rank) {
    int call = at[rank];
    return call < begun[rank].length && given[rank][call] != NEVER;
  }
}
