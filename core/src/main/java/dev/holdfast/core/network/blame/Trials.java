package dev.holdfast.core.network.blame;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is known so far. One good measurement proves both of its ends good and, where it crosses
 * leaves, the uplinks of both; a bad one only says that something in it is bad.
 */
final class Trials {
  /** One measurement. */
  record Trial(int round, Pair pair, Outcome outcome) {}

  private final Yardstick yardstick = new Yardstick();
  private final List<Trial> bad = new ArrayList<>();
  private final Map<Endpoint, List<Trial>> badOf = new LinkedHashMap<>();
  private final Set<Endpoint> good = new HashSet<>();
  private final Set<String> goodUplinks = new HashSet<>();
  private final Set<String> goodLeaves = new HashSet<>();
  private final Set<Set<Endpoint>> tried = new HashSet<>();
  private final Set<Set<Endpoint>> goodPairs = new HashSet<>();
  private int count;

  void add(int round, List<Pair> pairs, List<Outcome> outcomes) {
    if (outcomes.size() != pairs.size()) {
      throw new IllegalStateException(
          pairs.size() + " pairs were to be measured, " + outcomes.size() + " were");
    }
    yardstick.add(pairs, outcomes);
    for (int i = 0; i < pairs.size(); i++) {
      Pair pair = pairs.get(i);
      count++;
      tried.add(Set.of(pair.first(), pair.second()));
      if (yardstick.bad(pair, outcomes.get(i))) {
        Trial trial = new Trial(round, pair, outcomes.get(i));
        bad.add(trial);
        badOf.computeIfAbsent(pair.first(), _ -> new ArrayList<>()).add(trial);
        badOf.computeIfAbsent(pair.second(), _ -> new ArrayList<>()).add(trial);
      } else {
        good.add(pair.first());
        good.add(pair.second());
        goodLeaves.add(pair.first().leaf());
        goodLeaves.add(pair.second().leaf());
        goodPairs.add(Set.of(pair.first(), pair.second()));
        if (pair.crosses()) {
          goodUplinks.add(pair.first().leaf());
          goodUplinks.add(pair.second().leaf());
        }
      }
    }
  }

  boolean isGood(Endpoint endpoint) {
    return good.contains(endpoint);
  }

  /** Whether somebody under the leaf is proven good. */
  boolean hasAnybodyGood(String leaf) {
    return goodLeaves.contains(leaf);
  }

  boolean hasGoodUplinks(String leaf) {
    return goodUplinks.contains(leaf);
  }

  /** Whether the two did well together at least once. */
  boolean wereGood(Pair pair) {
    return goodPairs.contains(Set.of(pair.first(), pair.second()));
  }

  boolean wereTried(Endpoint one, Endpoint other) {
    return tried.contains(Set.of(one, other));
  }

  /** All bad measurements, in their order. */
  List<Trial> bad() {
    return bad;
  }

  List<Trial> badOf(Endpoint endpoint) {
    return badOf.getOrDefault(endpoint, List.of());
  }

  int count() {
    return count;
  }

  int goodCount() {
    return good.size();
  }

  double share(Trial trial) {
    return yardstick.share(trial.pair(), trial.outcome());
  }

  double typical() {
    return yardstick.typical();
  }
}
