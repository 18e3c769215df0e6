package dev.holdfast.control.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is remembered of a node's past, and that it never grows without end. */
class NodeHistoryTest {
  private static final Instant TIME = Instant.parse("2026-11-15T00:00:00Z");
  private static final Subject GPU = new Subject.Node("n1").gpu(3);

  private final ClusterState state = new ClusterState();
  private Instant now = TIME;

  private void pass(Duration time) {
    now = now.plus(time);
  }

  private void raise(Finding.Kind kind, Severity severity) {
    Statement.Raised told =
        (Statement.Raised) Told.raised("gpu.reachable", GPU, kind, severity, FaultClass.HARDWARE);
    state.apply(
        new FindingEntry.Raised(told.finding(), "node/n1", 1, now, "", List.of(), Optional.empty()),
        now);
  }

  private void clear() {
    state.apply(new FindingEntry.Cleared("gpu.reachable", GPU, "works"), now);
  }

  private void move(Service to) {
    state.apply(new NodeEntry.Moved("n1", to, "", "holdfast", "why"), now);
  }

  private NodeHistory history() {
    return state.history("n1");
  }

  @Test
  void aConditionThatComesBackIsAnEpisodeEachTime() {
    for (int i = 0; i < 3; i++) {
      raise(Finding.Kind.CONDITION, Severity.DEGRADED);
      pass(Duration.ofSeconds(1));
      raise(Finding.Kind.CONDITION, Severity.FATAL);
      raise(Finding.Kind.CONDITION, Severity.WARNING);
      pass(Duration.ofSeconds(9));
      clear();
      pass(Duration.ofSeconds(10));
    }
    assertThat(history().episodes())
        .hasSize(3)
        .allSatisfy(
            it -> {
              assertThat(it.severity()).as("the worst of it").isEqualTo(Severity.FATAL);
              assertThat(Duration.between(it.from(), it.until().orElseThrow()))
                  .isEqualTo(Duration.ofSeconds(10));
            });
  }

  @Test
  void eventsThatFollowEachOtherCloselyAreOne() {
    for (int i = 0; i < 100; i++) {
      raise(Finding.Kind.EVENT, Severity.WARNING);
      pass(Duration.ofSeconds(60));
    }
    assertThat(history().episodes()).hasSize(1);
    pass(Duration.ofMinutes(10));
    raise(Finding.Kind.EVENT, Severity.WARNING);
    assertThat(history().episodes()).hasSize(2);
  }

  @Test
  void whatFlapsForEverIsBoundedAndSaysSinceWhenItIsComplete() {
    for (int i = 0; i < 1_000; i++) {
      raise(Finding.Kind.CONDITION, Severity.WARNING);
      move(Service.DRAINED);
      state.apply(new NodeEntry.Silent("n1", true, now), now);
      pass(Duration.ofMinutes(1));
      clear();
      move(Service.IN);
      state.apply(new NodeEntry.Silent("n1", false, now), now);
      pass(Duration.ofMinutes(1));
    }
    assertThat(history().episodes()).hasSizeBetween(20, 200);
    assertThat(history().moves()).hasSizeBetween(20, 200);
    assertThat(history().silences()).hasSizeBetween(20, 200);
    assertThat(history().complete()).isAfter(TIME).isBefore(now);
    assertThat(history().episodes().getLast().until()).isPresent();
    assertThat(history().moves().getLast().to()).isEqualTo(Service.IN);
  }

  @Test
  void whatIsForgottenLeavesTheStateItWasInThen() {
    move(Service.DRAINED);
    raise(Finding.Kind.CONDITION, Severity.WARNING);
    pass(Duration.ofDays(1));
    clear();
    move(Service.OUT);
    pass(Duration.ofDays(100));
    Instant before = now.minus(Duration.ofDays(90));
    state.apply(new KeptEntry.Forgotten(before), now);
    assertThat(history().episodes()).isEmpty();
    assertThat(history().moves())
        .singleElement()
        .satisfies(it -> assertThat(it.to()).isEqualTo(Service.OUT));
    assertThat(history().complete()).isEqualTo(before);
  }
}
