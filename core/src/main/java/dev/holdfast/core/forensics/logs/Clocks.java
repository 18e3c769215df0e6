package dev.holdfast.core.forensics.logs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far are the nodes' clocks apart? Ranks leave a step together, because a collective ends it;
 * so the same step, told by ranks of several nodes, was told at nearly the same moment. Of each
 * node the median of its distances from the others is its offset, and what is left over says how
 * sure that is.
 */
final class Clocks {
  private static final int ROUNDS = 4;
  private static final int ENOUGH = 3;

  private final Map<String, NodeClock> byName = new TreeMap<>();

  /** The clock a voice goes by: its node's, or its own where no node is known. */
  static String name(Voice voice) {
    return voice.node.isEmpty() ? "rank " + voice.rank : voice.node;
  }

  static Clocks of(List<Voice> voices) {
    Map<String, Integer> numbers = new HashMap<>();
    List<String> names = new ArrayList<>();
    Map<Long, Map<Integer, Long>> events = new HashMap<>();
    for (Voice voice : voices) {
      String name = name(voice);
      int clock = numbers.computeIfAbsent(name, _ -> names.size());
      if (clock == names.size()) {
        names.add(name);
      }
      for (Speaker speaker : voice.speakers) {
        Beacons beacons = speaker.beacons;
        for (int i = 0; i < beacons.size(); i++) {
          events
              .computeIfAbsent(beacons.key(i), _ -> new HashMap<>(4))
              .merge(clock, beacons.time(i), Math::min);
        }
      }
    }
    events.values().removeIf(times -> times.size() < 2);
    return new Clocks().solve(names, List.copyOf(events.values()));
  }

  private Clocks solve(List<String> names, List<Map<Integer, Long>> events) {
    long[] offsets = new long[names.size()];
    long[] within = new long[names.size()];
    int[] counts = new int[names.size()];
    for (int round = 0; round < ROUNDS; round++) {
      List<List<Long>> distances = new ArrayList<>();
      names.forEach(_ -> distances.add(new ArrayList<>()));
      for (Map<Integer, Long> event : events) {
        long middle =
            median(event.entrySet().stream().mapToLong(e -> e.getValue() - offsets[e.getKey()]));
        event.forEach((clock, time) -> distances.get(clock).add(time - middle));
      }
      for (int clock = 0; clock < offsets.length; clock++) {
        List<Long> own = distances.get(clock);
        counts[clock] = own.size();
        if (own.size() >= ENOUGH) {
          long offset = median(own.stream().mapToLong(Long::longValue));
          offsets[clock] = offset;
          within[clock] = median(own.stream().mapToLong(one -> Math.abs(one - offset)));
        }
      }
    }
    for (int clock = 0; clock < offsets.length; clock++) {
      boolean sure = counts[clock] >= ENOUGH;
      byName.put(
          names.get(clock),
          new NodeClock(
              names.get(clock),
              micros(sure ? offsets[clock] : 0),
              micros(sure ? within[clock] : 0),
              sure ? counts[clock] : 0));
    }
    return this;
  }

  private static long median(java.util.stream.LongStream values) {
    long[] sorted = values.toArray();
    Arrays.sort(sorted);
    return sorted[(sorted.length - 1) / 2];
  }

  private static Duration micros(long micros) {
    return Duration.of(micros, java.time.temporal.ChronoUnit.MICROS);
  }

  /** Microseconds a clock is ahead; 0: nothing is known of it. */
  long offset(String name) {
    NodeClock clock = byName.get(name);
    return clock == null ? 0 : clock.offset().toNanos() / 1000;
  }

  /** Microseconds within which times of different nodes may be in the wrong order. */
  long uncertainty() {
    long worst = 0;
    for (NodeClock clock : byName.values()) {
      worst = Math.max(worst, clock.within().toNanos() / 1000);
    }
    return worst;
  }

  /** Whether all clocks were compared with others. */
  boolean compared() {
    return byName.size() < 2 || byName.values().stream().allMatch(clock -> clock.events() > 0);
  }

  List<NodeClock> all() {
    return List.copyOf(byName.values());
  }
}
