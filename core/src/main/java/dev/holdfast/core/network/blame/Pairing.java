package dev.holdfast.core.network.blame;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** Who is measured with whom in one round: nobody twice. */
final class Pairing {
  private final Trials trials;
  private final Random random;
  private final List<Pair> pairs = new ArrayList<>();
  private final Set<Endpoint> taken = new HashSet<>();

  /** Proven good and not yet in this round, by leaf. */
  private final Map<String, Deque<Endpoint>> partners = new TreeMap<>();

  Pairing(Trials trials, List<Endpoint> endpoints, Random random) {
    this.trials = trials;
    this.random = random;
    List<Endpoint> shuffled = new ArrayList<>(endpoints);
    Collections.shuffle(shuffled, random);
    for (Endpoint endpoint : shuffled) {
      if (trials.isGood(endpoint)) {
        partners.computeIfAbsent(endpoint.leaf(), _ -> new ArrayDeque<>()).add(endpoint);
      }
    }
  }

  List<Pair> pairs() {
    return pairs;
  }

  /** The first round: neighbours under each leaf; those left over, one a leaf, with each other. */
  static List<Pair> neighbours(List<Endpoint> endpoints, Random random) {
    Map<String, List<Endpoint>> leaves = new TreeMap<>();
    endpoints.forEach(it -> leaves.computeIfAbsent(it.leaf(), _ -> new ArrayList<>()).add(it));
    List<Pair> pairs = new ArrayList<>();
    List<Endpoint> over = new ArrayList<>();
    for (List<Endpoint> leaf : leaves.values()) {
      Collections.shuffle(leaf, random);
      for (int i = 0; i + 1 < leaf.size(); i += 2) {
        pairs.add(new Pair(leaf.get(i), leaf.get(i + 1)));
      }
      if (leaf.size() % 2 == 1) {
        over.add(leaf.getLast());
      }
    }
    for (int i = 0; i + 1 < over.size(); i += 2) {
      pairs.add(new Pair(over.get(i), over.get(i + 1)));
    }
    return pairs;
  }

  void add(Pair pair) {
    if (!taken.contains(pair.first()) && !taken.contains(pair.second())) {
      taken.add(pair.first());
      taken.add(pair.second());
      pairs.add(pair);
    }
  }

  /** Tries a suspect with somebody proven good under the same leaf. */
  boolean insideLeaf(Endpoint suspect) {
    return with(suspect, partner(suspect.leaf(), suspect));
  }

  /** Tries a suspect with somebody proven good elsewhere, best under a leaf with good uplinks. */
  boolean acrossLeaves(Endpoint suspect) {
    Optional<Endpoint> best = Optional.empty();
    for (boolean proven : List.of(true, false)) {
      for (String leaf : richest()) {
        if (!leaf.equals(suspect.leaf()) && trials.hasGoodUplinks(leaf) == proven) {
          best = best.isPresent() ? best : partner(leaf, suspect);
        }
      }
    }
    return with(suspect, best);
  }

  /** Tries suspects for whom nobody proven good is left with each other. */
  void amongThemselves(List<Endpoint> suspects) {
    for (int i = 0; i < suspects.size(); i++) {
      Endpoint one = suspects.get(i);
      for (int j = i + 1; j < suspects.size() && !taken.contains(one); j++) {
        Endpoint other = suspects.get(j);
        if (!taken.contains(other) && !trials.wereTried(one, other)) {
          add(new Pair(one, other));
        }
      }
    }
  }

  private boolean with(Endpoint suspect, Optional<Endpoint> partner) {
    if (partner.isEmpty() || taken.contains(suspect)) {
      return false;
    }
    add(new Pair(suspect, partner.get()));
    return true;
  }

  /**
   * Tries the uplinks of leaves, two leaves at a time or each with one whose uplinks are proven, as
   * far as somebody good is left there.
   */
  void uplinks(List<String> leaves) {
    List<String> waiting = new ArrayList<>(leaves);
    Collections.shuffle(waiting, random);
    Deque<String> left = new ArrayDeque<>(waiting);
    while (!left.isEmpty()) {
      String one = left.poll();
      Optional<Endpoint> from = free(one);
      if (from.isEmpty()) {
        continue;
      }
      taken.add(from.get());
      Optional<Endpoint> to = uplinkPartner(one, left);
      taken.remove(from.get());
      to.ifPresent(
          it -> {
            left.remove(it.leaf());
            add(new Pair(from.get(), it));
          });
    }
  }

  private Optional<Endpoint> uplinkPartner(String one, Deque<String> left) {
    Optional<Endpoint> proven = Optional.empty();
    for (String leaf : richest()) {
      if (!leaf.equals(one) && trials.hasGoodUplinks(leaf) && proven.isEmpty()) {
        proven = free(leaf);
      }
    }
    if (proven.isPresent()) {
      return proven;
    }
    for (String leaf : left) {
      Optional<Endpoint> other = free(leaf);
      if (other.isPresent()) {
        return other;
      }
    }
    for (String leaf : richest()) {
      Optional<Endpoint> other = leaf.equals(one) ? Optional.empty() : free(leaf);
      if (other.isPresent()) {
        return other;
      }
    }
    return Optional.empty();
  }

  /** Leaves by how many partners are left there, so that none is used up. */
  private List<String> richest() {
    return partners.entrySet().stream()
        .sorted((left, right) -> right.getValue().size() - left.getValue().size())
        .map(Map.Entry::getKey)
        .toList();
  }

  private Optional<Endpoint> free(String leaf) {
    Deque<Endpoint> there = partners.getOrDefault(leaf, new ArrayDeque<>());
    while (!there.isEmpty() && taken.contains(there.peek())) {
      there.poll();
    }
    return Optional.ofNullable(there.peek());
  }

  /** Somebody it was not tried with before: the same link twice says nothing new. */
  private Optional<Endpoint> partner(String leaf, Endpoint suspect) {
    free(leaf);
    return partners.getOrDefault(leaf, new ArrayDeque<>()).stream()
        .filter(it -> !taken.contains(it) && !trials.wereTried(it, suspect))
        .findFirst();
  }
}
