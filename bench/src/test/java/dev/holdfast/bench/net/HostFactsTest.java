package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostFactsTest {
  @Test
  void whatIsTheSameEverywhereIsSaidOnce() {
    Map<String, String> fact = Map.of("kernel", "6.18");
    assertThat(HostFacts.of(List.of(fact, fact), List.of("n1", "n2"))).isEqualTo(fact);
    assertThat(HostFacts.of(List.of(fact, fact), List.of())).isEqualTo(fact);
    assertThat(HostFacts.of(List.of(), List.of())).isEmpty();
  }

  @Test
  void whatDiffersSaysWhere() {
    Map<String, String> newer = Map.of("kernel", "6.18");
    Map<String, String> older = Map.of("kernel", "6.1");
    assertThat(
            HostFacts.of(
                List.of(newer, newer, older, newer, newer, newer),
                List.of("n1", "n1", "n2", "n3", "n4", "n5")))
        .isEqualTo(Map.of("kernel", "6.18 (n1, n3, n4, 4 hosts); 6.1 (n2)"));
  }
}
