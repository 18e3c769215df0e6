package dev.holdfast.doctor.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Style;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private final List<NodeFacts> nodes = new ArrayList<>();

  private void node(String name, String... factsAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < factsAndValues.length; i += 2) {
      values.put(factsAndValues[i], factsAndValues[i + 1]);
    }
    nodes.add(new NodeFacts(name, name + ".zip", values));
  }

  private Comparison compare() {
    return Comparison.of(new Gathering(nodes, List.of()));
  }

  private String table() {
    return new CompareTable(Style.PLAIN, 100).write(compare());
  }

  @Test
  void theNodeWithAnotherDriverIsOdd() {
    for (int i = 0; i < 9; i++) {
      node("n" + i, "gpu.driver.version", "580.1", "gpu.count", "8");
    }
    node("n9", "gpu.driver.version", "535.9", "gpu.count", "8");
    Comparison comparison = compare();
    assertThat(comparison.odd()).hasSize(1);
    assertThat(comparison.odd().getFirst().node()).isEqualTo("n9");
    assertThat(comparison.odd().getFirst().traits().getFirst())
        .isEqualTo(
            new OddNode.Trait("gpu.driver.version", Severity.WARNING, "535.9", "580.1", 1, 3.0));
    assertThat(table())
        .contains("10 nodes, 2 facts  one is odd")
        .contains("n9  score 3.0  n9.zip")
        .contains("warning   gpu.driver.version = 535.9, most have 580.1")
        .contains("gpu.driver.version = 580.1 on 9 of 10");
  }

  @Test
  void theMoreOddFactsAndTheRarerTheHigherTheRank() {
    for (int i = 0; i < 20; i++) {
      node(
          "n" + i,
          "gpu.count",
          i == 3 ? "7" : "8",
          "kernel.release",
          i < 6 ? "5.15" : "6.8",
          "sysctl.vm.swappiness",
          i == 3 || i == 9 ? "60" : "10");
    }
    assertThat(compare().odd().stream().map(OddNode::node))
        .containsExactly("n3", "n0", "n1", "n2", "n4", "n5", "n9");
    assertThat(compare().odd().getFirst().traits().stream().map(OddNode.Trait::fact))
        .containsExactly("gpu.count", "kernel.release", "sysctl.vm.swappiness");
    assertThat(compare().differences().stream().map(Difference::fact))
        .containsExactly("gpu.count", "kernel.release", "sysctl.vm.swappiness");
  }

  @Test
  void noiseInTheMemorySizeMakesNobodyOddButAMissingModuleDoes() {
    Random random = new Random(7);
    long size = 2L << 40;
    for (int i = 0; i < 200; i++) {
      long reserved = random.nextLong(2L << 30);
      long lost = i == 77 ? 64L << 30 : 0;
      node("n" + i, "memory.bytes", Long.toString(size - reserved - lost));
    }
    assertThat(compare().odd().stream().map(OddNode::node)).containsExactly("n77");
    assertThat(table()).contains("memory.bytes = 1.9 TiB, most have about 2.0 TiB");
  }

  @Test
  void twoKindsOfNodesAreTwoGroupsNotOneAverage() {
    for (int i = 0; i < 10; i++) {
      node("n" + i, "memory.bytes", Long.toString((i < 5 ? 1L : 2L) << 40));
    }
    assertThat(compare().odd()).isEmpty();
    assertThat(compare().undecided()).hasSize(1);
    assertThat(compare().undecided().getFirst().groups().stream().map(Difference.Group::value))
        .containsExactlyInAnyOrder("1 TiB", "2 TiB");
  }

  @Test
  void withoutAMajorityNobodyIsAccused() {
    node("a", "kernel.release", "5.15");
    node("b", "kernel.release", "6.8");
    Comparison comparison = compare();
    assertThat(comparison.odd()).isEmpty();
    assertThat(comparison.undecided()).hasSize(1);
    assertThat(table())
        .contains("none is odd, but 1 facts differ")
        .contains("No majority, so nobody is odd")
        .contains("5.15 on a")
        .contains("6.8 on b");
  }

  @Test
  void aFactOnlyTheOthersHaveIsOddToo() {
    node("a", "mount./data", "lustre");
    node("b", "mount./data", "lustre");
    node("c");
    node("d", "mount./data", "lustre", "mount./scratch2", "nfs");
    Comparison comparison = compare();
    assertThat(comparison.odd().stream().map(OddNode::node)).containsExactly("c", "d");
    assertThat(table())
        .contains("mount./data = (not there), most have lustre")
        .contains("mount./scratch2 = nfs, most have (not there)");
  }

  @Test
  void nodesThatAreAlikeAreSaidToBe() {
    node("a", "gpu.count", "8");
    node("b", "gpu.count", "8");
    assertThat(table()).isEqualTo("2 nodes, 1 facts  all alike\n");
  }

  @Test
  void theJsonNamesEveryOddNode() {
    for (int i = 0; i < 100; i++) {
      node("n" + i, "gpu.count", i < 40 ? "7" : "8");
    }
    Comparison comparison = compare();
    Map<String, ?> tree = Json.object(CompareJson.write(comparison));
    assertThat(tree.get("schema")).isEqualTo("holdfast.compare/1");
    assertThat((List<?>) tree.get("odd")).hasSize(40);
    assertThat(table()).contains("and 20 more odd nodes");
    assertThat(CompareJson.write(comparison)).contains("\"majority\": \"8\"");
  }

  @Test
  void hostileValuesCannotDrawOnTheTerminal() {
    node("a", "os.name", "x\u001b[2Jy");
    node("b", "os.name", "z");
    node("c", "os.name", "z");
    assertThat(table()).doesNotContain("\u001b");
  }
}
