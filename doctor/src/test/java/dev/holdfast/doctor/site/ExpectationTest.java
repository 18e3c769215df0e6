package dev.holdfast.doctor.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Fact;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.inventory.FactNames;
import dev.holdfast.doctor.inventory.Inventory;
import dev.holdfast.doctor.node.RecordedFolder;
import dev.holdfast.testing.Golden;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpectationTest {
  private static Expectation parse(String text) {
    return Expectation.parse("expect.yaml", "schema: holdfast.expect/1\n" + text);
  }

  private static List<Fact> cleanNode() {
    var node = RecordedFolder.open(Golden.root().resolve("fixtures/nodes/clean"));
    return Inventory.of(node, new Accelerators(node));
  }

  @Test
  void whatIsLearntFromANodeIsFulfilledByIt() {
    List<Fact> facts = cleanNode();
    Expectation learnt = Expectation.parse("learnt", Expectation.learn(facts));
    assertThat(learnt.requirements()).hasSize(facts.size()).containsKey("gpu.count");
    for (Fact fact : facts) {
      Requirement wanted = Objects.requireNonNull(learnt.requirements().get(fact.name()));
      assertThat(wanted.accepts(fact.name(), fact.value())).as(fact.name()).isTrue();
      assertThat(wanted.single()).as(fact.name()).contains(fact.value());
    }
  }

  @Test
  void everyFactOfAnInventoryHasAKnownName() {
    assertThat(cleanNode())
        .extracting(Fact::name)
        .allMatch(FactNames::isKnown)
        .doesNotHaveDuplicates();
  }

  @Test
  void theLearntFileIsGroupedAndCommented() {
    assertThat(Expectation.learn(cleanNode()))
        .startsWith("# What a good node")
        .contains("\nschema: holdfast.expect/1\n")
        .contains("\naccelerators:\n  gpu.count: 8\n")
        .contains("gpu.memory.bytes: 85520809984  # 79.6 GiB\n")
        .contains("\nnetwork:\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gpu.count: 8 | gpu.count | 8 | true",
        "gpu.count: 8 | gpu.count | 7 | false",
        "gpu.driver.version: [570.1, 580.95.05] | gpu.driver.version | 580.95.05 | true",
        "gpu.driver.version: {least: 570.124.06} | gpu.driver.version | 580.95.05 | true",
        "gpu.driver.version: {least: 570.124.06} | gpu.driver.version | 570.86 | false",
        "processor.count: {least: 64, most: 128} | processor.count | 192 | false",
        "memory.bytes: 2 TiB | memory.bytes | 2164088844288 | true",
        "memory.bytes: 2 TiB | memory.bytes | 2064088844288 | false",
        "memory.bytes: {least: 1 TiB} | memory.bytes | 2164088844288 | true"
      })
  void aValueIsAcceptedOrNot(String line, String fact, String actual, boolean accepted) {
    Requirement wanted =
        Objects.requireNonNull(parse("host:\n  " + line + "\n").requirements().get(fact));
    assertThat(wanted.accepts(fact, actual)).isEqualTo(accepted);
  }

  @Test
  void aMisspeltFactNamesTheLineAndTheNearest() {
    assertThatThrownBy(() -> parse("accelerators:\n  gpu.cout: 8\n"))
        .hasMessage(
            "expect.yaml:3: accelerators.gpu.cout: no fact is called 'gpu.cout' (did you mean"
                + " 'gpu.count'?)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "acelerators:\n  gpu.count: 8\n",
        "accelerators:\n  gpu.count:\n",
        "accelerators:\n  gpu.count: []\n",
        "accelerators:\n  gpu.count: {}\n",
        "accelerators:\n  gpu.count: {atleast: 8}\n",
        "accelerators:\n  gpu.count: 8\nhost:\n  gpu.count: 8\n",
        "accelerators: 8\n",
        "accelerators:\n  - gpu.count\n"
      })
  void whateverIsNotRightIsAnError(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOfSatisfying(
            HoldfastException.class,
            error -> assertThat(error.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION));
  }

  @Test
  void aFileOfAnotherKindIsRefused() {
    assertThatThrownBy(() -> Expectation.parse("x", "host:\n  gpu.count: 8\n"))
        .hasMessageContaining("schema: holdfast.expect/1");
    assertThatThrownBy(() -> Expectation.parse("x", "schema: holdfast.expect/2\n"))
        .hasMessageContaining("x:1");
    assertThatThrownBy(() -> Expectation.read(Path.of("/nowhere/expect.yaml")))
        .isInstanceOfSatisfying(
            HoldfastException.class,
            error -> assertThat(error.code()).isEqualTo(ErrorCode.UNREADABLE_INPUT));
  }
}
