package dev.holdfast.agent.tell;

import static dev.holdfast.agent.testing.Found.condition;
import static dev.holdfast.agent.testing.Found.event;
import static dev.holdfast.agent.testing.Found.partly;
import static dev.holdfast.agent.testing.Found.said;
import static dev.holdfast.agent.testing.Found.skipped;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.memory.Memory;
import dev.holdfast.agent.testing.Found;
import dev.holdfast.agent.testing.TryClock;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TellerTest {
  private static final String CHECK = "gpu.reachable";
  private static final Subject GPU = Found.NODE.gpu(3);
  private static final Finding LOST = condition(CHECK, GPU, Severity.FATAL, "lost");
  private static final String RAISED = "raised gpu.reachable node/n1/gpu/3 fatal x1";
  private static final String CLEARED = "cleared gpu.reachable node/n1/gpu/3";

  @TempDir Path folder;
  private final TryClock clock = new TryClock();
  private Memory memory;
  private Teller teller;

  @BeforeEach
  void open() throws IOException {
    memory = Memory.open("node/n1", folder, 1 << 20);
    teller = new Teller(memory, clock);
  }

  @AfterEach
  void close() throws IOException {
    memory.close();
  }

  @Test
  void aConditionIsToldWhenItBeginsAndWhenItEnds() throws Exception {
    teller.took(List.of(said(CHECK, LOST)));
    teller.took(List.of(said(CHECK, LOST)));
    assertThat(Found.told(memory)).containsExactly(RAISED);
    teller.took(List.of(said(CHECK)));
    teller.took(List.of(said(CHECK)));
    assertThat(Found.told(memory)).containsExactly(RAISED, CLEARED);
  }

  @Test
  void neitherASkipNorAPartialLookMakesAnythingWell() throws Exception {
    teller.took(List.of(said(CHECK, LOST)));
    teller.took(List.of(skipped(CHECK)));
    teller.took(List.of(partly(CHECK)));
    assertThat(Found.told(memory)).containsExactly(RAISED);
  }

  @Test
  void aPartThatVanishedIsNotWell() throws Exception {
    teller.took(List.of(said(CHECK, LOST)));
    teller.present(subject -> !subject.equals(GPU));
    teller.took(List.of(said(CHECK)));
    assertThat(Found.told(memory)).containsExactly(RAISED);
  }

  @Test
  void otherWordsAndSeveritiesAreNewsOtherFiguresAreNot() throws Exception {
    teller.took(List.of(said("a.b", condition("a.b", GPU, Severity.WARNING, "81.5 degrees"))));
    teller.took(List.of(said("a.b", condition("a.b", GPU, Severity.WARNING, "82 degrees"))));
    assertThat(Found.told(memory)).hasSize(1);
    teller.took(List.of(said("a.b", condition("a.b", GPU, Severity.FATAL, "99 degrees"))));
    teller.took(List.of(said("a.b", condition("a.b", GPU, Severity.FATAL, "it burns"))));
    assertThat(Found.told(memory)).hasSize(3);
  }

  @Test
  void whatIsOnlyWorthKnowingIsNotTold() throws Exception {
    teller.took(List.of(said("a.b", condition("a.b", GPU, Severity.INFO, "just so"))));
    assertThat(Found.told(memory)).isEmpty();
  }

  @Test
  void anEventACheckRemembersIsToldOnceUntilItIsWorseOrNew() throws Exception {
    Finding flap = event("a.b", GPU, Severity.WARNING, "went down 3 times");
    teller.took(List.of(said("a.b", flap)));
    teller.took(List.of(said("a.b", flap)));
    assertThat(Found.told(memory)).hasSize(1);
    teller.took(List.of(said("a.b", event("a.b", GPU, Severity.DEGRADED, "went down 9 times"))));
    assertThat(Found.told(memory)).hasSize(2);
    teller.took(List.of(said("a.b")));
    teller.took(List.of(said("a.b", flap)));
    assertThat(Found.told(memory)).hasSize(3);
  }

  @Test
  void whatComesAndGoesIsHeldUntilItStaysAway() throws Exception {
    for (int i = 0; i < 60; i++) {
      teller.took(List.of(said(CHECK, LOST)));
      clock.pass(Duration.ofSeconds(1));
      teller.took(List.of(said(CHECK)));
      clock.pass(Duration.ofSeconds(1));
    }
    assertThat(Found.told(memory)).hasSizeLessThanOrEqualTo(5);
    assertThat(Found.told(memory)).last().isEqualTo(RAISED);
    clock.pass(Duration.ofSeconds(61));
    teller.took(List.of(said(CHECK)));
    assertThat(Found.told(memory)).last().isEqualTo(CLEARED);
  }

  @Test
  void anotherLifeNeitherRepeatsNorForgets() throws Exception {
    teller.took(List.of(said(CHECK, LOST)));
    memory.close();
    open();
    teller.took(List.of(said(CHECK, LOST)));
    assertThat(Found.told(memory)).containsExactly(RAISED);
    teller.took(List.of(said(CHECK)));
    assertThat(Found.told(memory)).containsExactly(RAISED, CLEARED);
  }

  @Test
  void aConditionThatFoundNoRoomIsToldWhenThereIsSome() throws Exception {
    memory.close();
    memory = Memory.open("node/n1", folder.resolve("small"), 1_500);
    teller = new Teller(memory, clock);
    Finding other = condition("a.b", GPU, Severity.FATAL, "other");
    teller.took(List.of(said(CHECK, LOST)));
    teller.took(List.of(said("a.b", other)));
    assertThat(Found.told(memory)).containsExactly(RAISED);
    assertThat(memory.received(new dev.holdfast.core.report.Receipt("node/n1", 1, 1))).isTrue();
    teller.took(List.of(said("a.b", other)));
    assertThat(Found.told(memory)).containsExactly("raised a.b node/n1/gpu/3 fatal x1");
  }
}
