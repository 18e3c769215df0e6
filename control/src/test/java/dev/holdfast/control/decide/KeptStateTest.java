package dev.holdfast.control.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Cause;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.StateText;
import dev.holdfast.core.report.Report;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A state read from a checkpoint and the rest of the journal is the state that reading the whole
 * journal gives, to the last field, on many random days; also where old things were dropped on the
 * way.
 */
class KeptStateTest {
  private static final int SEEDS = Integer.getInteger("holdfast.kept.seeds", 150);
  private static final Instant TIME = Instant.parse("2026-11-15T00:00:00Z");

  private record History(List<String> lines, ClusterState live) {}

  /** A day of inputs minutes apart, with ticks, and now and then something dropped. */
  private static History history(Random random) {
    ClusterState state = new ClusterState();
    Decider decider = new Decider(state, Rules.usual(), _ -> Rules.usual());
    List<String> lines = new ArrayList<>();
    Instant now = TIME;
    for (RecoveryTest.Sent sent : RecoveryTest.day(random)) {
      now = now.plus(Duration.ofSeconds(random.nextInt(1200)));
      List<Report> reports = sent.reports();
      add(lines, now, decider.decide(new Input.Reported(sent.source(), reports), now).entries());
      add(lines, now, decider.decide(new Input.Tick(), now).entries());
      if (random.nextInt(10) == 0) {
        Instant before = now.minus(Duration.ofMinutes(random.nextInt(120)));
        add(lines, now, decider.decide(new Input.Forget(before), now).entries());
      }
      if (random.nextInt(12) == 0) {
        Wish wish = random.nextBoolean() ? new Wish.Pause("why") : new Wish.Note("node/n1", "hm");
        add(lines, now, decider.decide(new Input.Wished("ann", wish), now).entries());
      }
    }
    return new History(lines, state);
  }

  private static void add(List<String> lines, Instant now, List<Entry> entries) {
    if (!entries.isEmpty()) {
      lines.add(new Batch(now, entries).line());
    }
  }

  private static ClusterState replay(List<String> lines) {
    ClusterState state = new ClusterState();
    lines.forEach(line -> state.apply(Batch.of(line)));
    return state;
  }

  @Test
  void aCheckpointAndTheRestGiveWhatTheWholeJournalGives() {
    long dropped = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      Random random = new Random(seed);
      History history = history(random);
      String expected = StateText.of(replay(history.lines()));
      assertThat(StateText.of(history.live())).as("live, seed " + seed).isEqualTo(expected);
      int cut = random.nextInt(history.lines().size());
      ClusterState before = replay(history.lines().subList(0, cut));
      List<String> kept = new ArrayList<>();
      List<Entry> things = before.kept();
      for (int i = 0; i < things.size(); i += 7) {
        kept.add(
            new Batch(before.time(), things.subList(i, Math.min(i + 7, things.size()))).line());
      }
      assertThat(StateText.of(replay(kept)))
          .as("at " + cut + ", seed " + seed)
          .isEqualTo(StateText.of(before));
      kept.addAll(history.lines().subList(cut, history.lines().size()));
      assertThat(StateText.of(replay(kept))).as("seed " + seed).isEqualTo(expected);
      dropped +=
          history.lines().stream()
              .flatMap(it -> Batch.of(it).entries().stream())
              .filter(KeptEntry.Forgotten.class::isInstance)
              .count();
    }
    assertThat(dropped).as("something was dropped on the way").isGreaterThan(SEEDS / 10);
  }

  @Test
  void whatIsOverAndOldIsDroppedAndNamesGoOnCounting() {
    for (int seed = 1; seed <= 40; seed++) {
      History history = history(new Random(seed));
      ClusterState state = history.live();
      long incidents = state.incidentCount();
      long open = state.openIncidents().size();
      Decider decider = new Decider(state, Rules.usual(), _ -> Rules.usual());
      Instant later = state.time().plus(Duration.ofDays(91));
      decider.decide(new Input.Forget(later.minus(Duration.ofDays(90))), later);
      assertThat(state.incidents())
          .allMatch(
              it ->
                  it.open()
                      || !it.into().isEmpty()
                      || state.nodes().stream().anyMatch(node -> node.incident().equals(it.id()))
                      || it.decisions().stream()
                          .flatMap(id -> state.decision(id).stream())
                          .anyMatch(made -> !made.stand().over()));
      assertThat(state.openIncidents()).hasSize((int) open);
      assertThat(state.incidentCount()).isEqualTo(incidents);
      state.nodes().stream()
          .filter(it -> !it.incident().isEmpty())
          .forEach(it -> assertThat(state.incident(it.incident())).isPresent());
      state
          .openDecisions()
          .forEach(
              it ->
                  assertThat(
                          it.made().incident().isEmpty()
                              || state.incident(it.made().incident()).isPresent())
                      .isTrue());
    }
  }

  @Test
  void whatIsKeptForSpeedIsWhatLookingAtEverythingGives() {
    long spares = 0;
    long open = 0;
    for (int seed = 1; seed <= 100; seed++) {
      ClusterState state = history(new Random(seed)).live();
      long free =
          state.nodes().stream()
              .filter(it -> it.service() == Service.IN && it.silentSince().isEmpty())
              .filter(it -> state.jobOn(it.name()).isEmpty())
              .count();
      assertThat(state.spares(0)).as("seed " + seed).isEqualTo((int) free);
      spares += free;
      Map<String, Set<String>> at = new HashMap<>();
      state
          .openIncidents()
          .forEach(
              it ->
                  it.findings()
                      .forEach(
                          key ->
                              at.computeIfAbsent(key.place(), _ -> new HashSet<>()).add(it.id())));
      at.forEach((place, ids) -> assertThat(state.incidentsAt(place)).isEqualTo(ids));
      state.incidents().stream()
          .flatMap(it -> it.findings().stream())
          .filter(key -> !at.containsKey(key.place()))
          .forEach(key -> assertThat(state.incidentsAt(key.place())).isEmpty());
      open += at.size();
      for (NodeView node : state.nodes()) {
        node.description()
            .ifPresent(
                it ->
                    it.place()
                        .forEach(
                            (kind, name) ->
                                assertThat(state.sharing(new Cause(kind, name)))
                                    .contains(node.name())));
      }
    }
    assertThat(spares).isPositive();
    assertThat(open).isPositive();
  }
}
