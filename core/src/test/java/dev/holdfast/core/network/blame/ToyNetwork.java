package dev.holdfast.core.network.blame;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A network with faults planted in it, measured with noise. */
final class ToyNetwork implements Measure {
  private static final double NOISE = 0.01;

  /** Traffic between leaves gets less, as on networks that are built so. */
  private static final double CROSSING = 0.8;

  final List<Endpoint> endpoints = new ArrayList<>();
  final Map<String, List<Endpoint>> byNode = new HashMap<>();

  /** What of the bandwidth is left, 0 when nothing gets through. */
  final Map<Endpoint, Double> badEndpoints = new HashMap<>();

  final Map<String, Double> badUplinks = new HashMap<>();
  final Map<Set<Endpoint>, Double> badLinks = new HashMap<>();

  private final Random random;
  private int linksToPlant;

  ToyNetwork(int nodes, int perLeaf, int rails, Random random) {
    this.random = random;
    for (int node = 0; node < nodes; node++) {
      for (int rail = 0; rail < rails; rail++) {
        String leaf = "leaf" + node / perLeaf + (rails == 1 ? "" : "r" + rail);
        Endpoint endpoint = new Endpoint("n" + node, rails == 1 ? "" : "mlx5_" + rail, leaf);
        endpoints.add(endpoint);
        byNode.computeIfAbsent(endpoint.node(), _ -> new ArrayList<>()).add(endpoint);
      }
    }
  }

  double fault() {
    return random.nextInt(3) == 0 ? 0 : 0.3 + 0.5 * random.nextDouble();
  }

  void breakNode(String node) {
    double left = fault();
    byNode.getOrDefault(node, List.of()).forEach(it -> badEndpoints.put(it, left));
  }

  void breakNic(Endpoint endpoint) {
    badEndpoints.put(endpoint, fault());
  }

  void breakUplinks(String leaf) {
    badUplinks.put(leaf, fault());
  }

  /** Some of the links that are used first, so that none is missed by chance. */
  void breakLinks(int count) {
    linksToPlant = count;
  }

  @Override
  public List<Outcome> round(int round, List<Pair> pairs) {
    Set<Endpoint> seen = new HashSet<>();
    pairs.forEach(
        it -> {
          if (!seen.add(it.first()) || !seen.add(it.second())) {
            throw new AssertionError("measured twice in round " + round + ": " + it);
          }
        });
    if (round == 1) {
      List<Pair> shuffled = new ArrayList<>(pairs);
      Collections.shuffle(shuffled, random);
      shuffled.stream()
          .filter(it -> !it.crosses())
          .limit(linksToPlant)
          .forEach(it -> badLinks.put(Set.of(it.first(), it.second()), fault()));
    }
    return pairs.stream().map(this::measured).toList();
  }

  private Outcome measured(Pair pair) {
    double left =
        Math.min(
            badLinks.getOrDefault(Set.of(pair.first(), pair.second()), 1.0),
            Math.min(
                badEndpoints.getOrDefault(pair.first(), 1.0),
                badEndpoints.getOrDefault(pair.second(), 1.0)));
    if (pair.crosses()) {
      left =
          Math.min(
              left,
              Math.min(
                  badUplinks.getOrDefault(pair.first().leaf(), 1.0),
                  badUplinks.getOrDefault(pair.second().leaf(), 1.0)));
    }
    double bandwidth =
        40 * left * (pair.crosses() ? CROSSING : 1) * (1 + NOISE * random.nextGaussian());
    return left == 0 ? new Outcome.Failed("timed out") : new Outcome.Measured(bandwidth);
  }
}
