package dev.holdfast.core.network.blame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Small networks with one fault each, where the answer can be followed by hand. */
class BlameTest {
  private final ToyNetwork network = new ToyNetwork(16, 4, 1, new Random(5));

  private static Endpoint endpoint(ToyNetwork network, String node) {
    return network.endpoints.stream()
        .filter(it -> it.node().equals(node))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> names(BlameReport report) {
    return report.blamed().stream().map(it -> it.kind().words() + " " + it.name()).toList();
  }

  private BlameReport find(int rounds) {
    return Blame.find(network.endpoints, network, rounds, 1);
  }

  @Test
  void aGoodNetworkBlamesNobody() {
    BlameReport report = find(Blame.WITH_LINKS);
    assertThat(report.blamed()).isEmpty();
    assertThat(report.undecided()).isEmpty();
    assertThat(report.good()).isEqualTo(16);
    assertThat(report.rounds()).as("neighbours, then uplinks").isEqualTo(2);
  }

  @Test
  void aSlowNodeIsNamedWithItsShareAndTheEvidence() {
    network.badEndpoints.put(endpoint(network, "n6"), 0.5);
    BlameReport report = find(Blame.NODES_ONLY);
    assertThat(names(report)).containsExactly("node n6");
    assertThat(report.rounds()).isEqualTo(2);
    Blamed blamed = report.blamed().getFirst();
    assertThat(blamed.failed()).isFalse();
    assertThat(blamed.share()).isBetween(0.45, 0.55);
    assertThat(blamed.words()).matches("node n6 is slow: \\d+ % of what others reach");
    assertThat(blamed.evidence()).allMatch(it -> it.contains("n6"));
  }

  @Test
  void aFailedNodeIsToldFromASlowOne() {
    network.badEndpoints.put(endpoint(network, "n6"), 0.0);
    BlameReport report = find(Blame.WITH_LINKS);
    assertThat(report.blamed().getFirst().words()).isEqualTo("node n6 fails");
    assertThat(report.blamed()).hasSize(1);
  }

  @Test
  void oneAdapterOfSeveralIsNotTheNode() {
    ToyNetwork rails = new ToyNetwork(8, 8, 2, new Random(6));
    rails.badEndpoints.put(rails.endpoints.get(5), 0.4);
    BlameReport report = Blame.find(rails.endpoints, rails, Blame.WITH_LINKS, 1);
    assertThat(names(report)).containsExactly("adapter or its cable n2/mlx5_1");
  }

  @Test
  void allAdaptersOfANodeAreTheNode() {
    ToyNetwork rails = new ToyNetwork(8, 8, 2, new Random(6));
    rails.breakNode("n2");
    assertThat(names(Blame.find(rails.endpoints, rails, Blame.WITH_LINKS, 1)))
        .containsExactly("node n2");
  }

  @Test
  void twoGoodNodesWithABadLinkAreBothInnocent() {
    network.breakLinks(1);
    BlameReport report = find(Blame.WITH_LINKS);
    assertThat(report.blamed())
        .singleElement()
        .satisfies(it -> assertThat(it.kind()).isEqualTo(Blamed.Kind.LINK))
        .satisfies(it -> assertThat(it.evidence()).as("measured again").hasSize(2));
    assertThat(report.rounds()).isEqualTo(3);
    assertThat(report.good()).isEqualTo(16);
  }

  @Test
  void badUplinksAreFoundThoughEveryNeighbourIsFine() {
    network.badUplinks.put("leaf2", 0.3);
    BlameReport report = find(Blame.WITH_LINKS);
    assertThat(names(report)).containsExactly("uplinks of leaf leaf2");
    assertThat(report.undecided()).isEmpty();
  }

  /**
   * The first pair between two leaves is slow in the second round, and from then on if it lasts.
   */
  private BlameReport slowBetweenLeaves(boolean lasts) {
    Set<Endpoint> slow = new HashSet<>();
    Measure measure =
        (round, pairs) -> {
          List<Outcome> outcomes = new ArrayList<>(network.round(round, pairs));
          for (int i = 0; i < pairs.size(); i++) {
            Set<Endpoint> ends = Set.of(pairs.get(i).first(), pairs.get(i).second());
            boolean first = round == 2 && slow.isEmpty() && pairs.get(i).crosses();
            if (first) {
              slow.addAll(ends);
            }
            if (first || lasts && slow.equals(ends)) {
              outcomes.set(i, new Outcome.Measured(1));
            }
          }
          return outcomes;
        };
    return Blame.find(network.endpoints, measure, Blame.WITH_LINKS, 1);
  }

  @Test
  void whatIsSlowBetweenLeavesOnceIsMeasuredAgainAndForgotten() {
    BlameReport report = slowBetweenLeaves(false);
    assertThat(report.rounds()).isEqualTo(3);
    assertThat(report.blamed()).isEmpty();
    assertThat(report.undecided()).isEmpty();
  }

  @Test
  void whatIsSlowBetweenLeavesEachTimeIsNamed() {
    BlameReport report = slowBetweenLeaves(true);
    assertThat(report.blamed())
        .singleElement()
        .satisfies(it -> assertThat(it.kind()).isEqualTo(Blamed.Kind.PATH))
        .satisfies(it -> assertThat(it.evidence()).as("measured again").hasSize(2));
    assertThat(report.undecided()).isEmpty();
  }

  @Test
  void aLeafWithoutAnybodyGoodCannotBeToldFromItsNodes() {
    for (int node = 4; node < 8; node++) {
      network.badEndpoints.put(endpoint(network, "n" + node), 0.0);
    }
    for (int rounds : new int[] {Blame.NODES_ONLY, Blame.WITH_LINKS}) {
      BlameReport report = find(rounds);
      assertThat(names(report)).containsExactly("leaf, or all its nodes: leaf1");
      assertThat(report.undecided()).isEmpty();
    }
  }

  @Test
  void twoNodesAloneCannotBeToldApart() {
    ToyNetwork two = new ToyNetwork(2, 2, 1, new Random(1));
    two.badEndpoints.put(two.endpoints.getFirst(), 0.0);
    BlameReport report = Blame.find(two.endpoints, two, Blame.WITH_LINKS, 1);
    assertThat(report.blamed()).isEmpty();
    assertThat(report.undecided()).hasSize(2).allMatch(it -> it.contains("nobody proven good"));
  }

  @Test
  void threeNodesAreEnough() {
    for (int bad = 0; bad < 3; bad++) {
      ToyNetwork three = new ToyNetwork(3, 3, 1, new Random(1));
      three.badEndpoints.put(three.endpoints.get(bad), 0.0);
      BlameReport report = Blame.find(three.endpoints, three, Blame.WITH_LINKS, 1);
      assertThat(names(report)).isSubsetOf("node n" + bad);
      assertThat(report.blamed().size() + report.undecided().size()).isPositive();
    }
  }

  @Test
  void anEndpointListedTwiceIsRefused() {
    List<Endpoint> twice = List.of(network.endpoints.getFirst(), network.endpoints.getFirst());
    assertThatThrownBy(() -> Blame.find(twice, network, 3, 1)).hasMessageContaining("twice");
  }
}
