package dev.holdfast.core.network.blame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * 4,096 nodes, up to a tenth of them bad, many times over: nobody innocent is blamed, and every
 * fault is named. By hand with -Dblame.seeds=10000, or in parts with -Dblame.from too.
 */
class BlameSimulationTest {
  private static final int NODES = 4096;
  private static final int FROM = Integer.getInteger("blame.from", 0);
  private static final int SEEDS = Integer.getInteger("blame.seeds", 200);

  @Test
  void badNodesAreNamedExactlyInTwoRounds() {
    int bad = 0;
    for (int seed = FROM; seed < FROM + SEEDS; seed++) {
      Random random = new Random(seed);
      ToyNetwork network = network(random);
      breakNodes(network, random);
      BlameReport report = Blame.find(network.endpoints, network, Blame.NODES_ONLY, seed);
      assertThat(report.rounds()).isLessThanOrEqualTo(2);
      assertNobodyInnocent(report, network, seed);
      assertEveryEndpointNamed(report, network, seed);
      assertThat(report.undecided()).as("seed %d", seed).isEmpty();
      bad += network.badEndpoints.size();
    }
    assertThat(bad).as("faults planted").isGreaterThan(SEEDS * 20);
  }

  @Test
  void nodesLinksAndUplinksAreToldApartInThreeRounds() {
    int open = 0;
    int faults = 0;
    for (int seed = FROM; seed < FROM + SEEDS; seed++) {
      Random random = new Random(seed);
      ToyNetwork network = network(random);
      breakNodes(network, random);
      network.breakLinks(random.nextInt(20));
      List<String> leaves = leaves(network);
      for (int i = random.nextInt(1 + leaves.size() / 20); i > 0; i--) {
        network.breakUplinks(leaves.get(random.nextInt(leaves.size())));
      }
      BlameReport report = Blame.find(network.endpoints, network, Blame.WITH_LINKS, seed);
      assertThat(report.rounds()).isLessThanOrEqualTo(3);
      assertNobodyInnocent(report, network, seed);
      assertEveryEndpointNamed(report, network, seed);
      assertLinksNamed(report, network, seed);
      assertUplinksNamed(report, network, seed);
      open += report.undecided().size();
      faults += network.badEndpoints.size() + network.badLinks.size() + network.badUplinks.size();
    }
    assertThat(open).as("left open of " + faults).isLessThanOrEqualTo(faults / 1000);
  }

  @Test
  void wholeLeavesThatAreGoneAreNotPinnedOnTheirNodes() {
    for (int seed = FROM; seed < FROM + SEEDS; seed++) {
      Random random = new Random(seed);
      ToyNetwork network = network(random);
      List<String> leaves = leaves(network);
      Set<String> gone = new HashSet<>();
      for (int i = 1 + random.nextInt(Math.max(1, leaves.size() / 12)); i > 0; i--) {
        gone.add(leaves.get(random.nextInt(leaves.size())));
      }
      network.endpoints.stream()
          .filter(it -> gone.contains(it.leaf()))
          .forEach(it -> network.badEndpoints.put(it, 0.0));
      BlameReport report = Blame.find(network.endpoints, network, Blame.WITH_LINKS, seed);
      assertThat(named(report, Blamed.Kind.LEAF_OR_NODES)).as("seed %d", seed).isEqualTo(gone);
      assertThat(named(report, Blamed.Kind.NODE)).as("seed %d", seed).isEmpty();
      assertNobodyInnocent(report, network, seed);
    }
  }

  private static ToyNetwork network(Random random) {
    int perLeaf = List.of(16, 32, 64).get(random.nextInt(3));
    return new ToyNetwork(NODES, perLeaf, random.nextInt(4) == 0 ? 2 : 1, random);
  }

  private static void breakNodes(ToyNetwork network, Random random) {
    List<Endpoint> shuffled = new ArrayList<>(network.endpoints);
    Collections.shuffle(shuffled, random);
    int bad = random.nextInt(1 + NODES / 10);
    for (Endpoint endpoint : shuffled.subList(0, bad)) {
      if (random.nextInt(3) == 0) {
        network.breakNic(endpoint);
      } else {
        network.breakNode(endpoint.node());
      }
    }
  }

  private static List<String> leaves(ToyNetwork network) {
    return network.endpoints.stream().map(Endpoint::leaf).distinct().toList();
  }

  private static Set<String> named(BlameReport report, Blamed.Kind kind) {
    return report.blamed().stream()
        .filter(it -> it.kind() == kind)
        .map(Blamed::name)
        .collect(Collectors.toSet());
  }

  private static List<Endpoint> of(ToyNetwork network, Blamed blamed) {
    List<Endpoint> own = network.byNode.getOrDefault(blamed.name(), List.of());
    assertThat(own).as(blamed.name()).isNotEmpty();
    return own;
  }

  private static void assertNobodyInnocent(BlameReport report, ToyNetwork network, int seed) {
    Map<String, Endpoint> byName =
        network.endpoints.stream().collect(Collectors.toMap(Endpoint::toString, it -> it));
    Set<String> links =
        network.badLinks.keySet().stream()
            .flatMap(
                it -> {
                  List<Endpoint> ends = List.copyOf(it);
                  return List.of(
                      new Pair(ends.get(0), ends.get(1)).toString(),
                      new Pair(ends.get(1), ends.get(0)).toString())
                      .stream();
                })
            .collect(Collectors.toSet());
    for (Blamed blamed : report.blamed()) {
      boolean guilty =
          switch (blamed.kind()) {
            case NODE -> of(network, blamed).stream().allMatch(network.badEndpoints::containsKey);
            case NIC -> network.badEndpoints.containsKey(byName.get(blamed.name()));
            case LINK -> links.contains(blamed.name());
            case UPLINK -> network.badUplinks.containsKey(blamed.name());
            case PATH -> false;
            case LEAF_OR_NODES ->
                network.endpoints.stream()
                    .filter(it -> it.leaf().equals(blamed.name()))
                    .allMatch(network.badEndpoints::containsKey);
          };
      assertThat(guilty).as("seed %d: %s", seed, blamed).isTrue();
    }
  }

  private static void assertEveryEndpointNamed(BlameReport report, ToyNetwork network, int seed) {
    Set<String> nodes = named(report, Blamed.Kind.NODE);
    Set<String> nics = named(report, Blamed.Kind.NIC);
    Set<String> leaves = named(report, Blamed.Kind.LEAF_OR_NODES);
    network.badEndpoints.forEach(
        (endpoint, left) -> {
          boolean found =
              nodes.contains(endpoint.node())
                  || nics.contains(endpoint.toString())
                  || leaves.contains(endpoint.leaf())
                  || report.undecided().stream().anyMatch(it -> it.startsWith(endpoint + ":"));
          assertThat(found).as("seed %d: %s", seed, endpoint).isTrue();
        });
    for (Blamed blamed : report.blamed()) {
      if (blamed.kind() == Blamed.Kind.NODE) {
        boolean failed =
            of(network, blamed).stream()
                .allMatch(it -> network.badEndpoints.getOrDefault(it, 1.0) == 0);
        assertThat(blamed.failed()).as("seed %d: %s", seed, blamed).isEqualTo(failed);
      }
    }
  }

  private static void assertLinksNamed(BlameReport report, ToyNetwork network, int seed) {
    Set<String> links = named(report, Blamed.Kind.LINK);
    network.badLinks.forEach(
        (ends, left) -> {
          List<Endpoint> both = List.copyOf(ends);
          if (ends.stream().anyMatch(network.badEndpoints::containsKey)) {
            return; // Hidden behind an end that is bad itself.
          }
          List<String> names =
              List.of(
                  new Pair(both.get(0), both.get(1)).toString(),
                  new Pair(both.get(1), both.get(0)).toString());
          boolean found =
              names.stream().anyMatch(links::contains)
                  || report.undecided().stream()
                      .anyMatch(it -> it.contains(names.get(0)) || it.contains(names.get(1)))
                  || ends.stream()
                      .anyMatch(
                          end ->
                              report.undecided().stream().anyMatch(it -> it.startsWith(end + ":")));
          assertThat(found).as("seed %d: %s", seed, names).isTrue();
        });
  }

  private static void assertUplinksNamed(BlameReport report, ToyNetwork network, int seed) {
    Set<String> uplinks = named(report, Blamed.Kind.UPLINK);
    network.badUplinks.forEach(
        (leaf, left) ->
            assertThat(
                    uplinks.contains(leaf)
                        || report.undecided().stream()
                            .anyMatch(it -> it.contains("leaf " + leaf + ":")))
                .as("seed %d: %s", seed, leaf)
                .isTrue());
  }
}
