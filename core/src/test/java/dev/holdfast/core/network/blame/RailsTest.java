package dev.holdfast.core.network.blame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Adapters told from nodes. */
class RailsTest {
  private static BlameReport rail(String nic, Set<String> bad) {
    List<Endpoint> endpoints = new ArrayList<>();
    for (int node = 1; node <= 8; node++) {
      endpoints.add(new Endpoint("n" + node, nic, "leaf" + (node + 3) / 4));
    }
    Measure measure =
        (_, pairs) ->
            pairs.stream()
                .map(
                    pair ->
                        (Outcome)
                            new Outcome.Measured(
                                bad.contains(pair.first().node())
                                        || bad.contains(pair.second().node())
                                    ? 5
                                    : 10))
                .toList();
    return Blame.find(endpoints, measure, Blame.WITH_LINKS, 1);
  }

  @Test
  void aNodeThatIsBadOnAllAdaptersIsBadItselfElseItIsTheAdapter() {
    Map<String, BlameReport> rails = new LinkedHashMap<>();
    rails.put("ib0", rail("ib0", Set.of("n3")));
    rails.put("ib1", rail("ib1", Set.of("n3", "n6")));
    BlameReport merged = Rails.merged(rails);
    assertThat(merged.blamed())
        .extracting(Blamed::words)
        .containsExactly(
            "node n3 is slow: 50 % of what others reach",
            "adapter or its cable n6/ib1 is slow: 50 % of what others reach");
    assertThat(merged.endpoints()).isEqualTo(16);
    assertThat(merged.good()).isEqualTo(13);
    assertThat(merged.undecided()).isEmpty();
  }

  @Test
  void oneRailIsItself() {
    BlameReport one = rail("", Set.of("n2"));
    assertThat(Rails.merged(Map.of("", one))).isSameAs(one);
  }
}
