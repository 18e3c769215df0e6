package dev.holdfast.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.control.testing.StateText;
import dev.holdfast.control.testing.StrangeReports;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Json;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * What was accepted can be applied, written down, read again and shown, and none of these makes
 * much of few bytes.
 */
class AcceptedReportsTest {
  private static final int REPORTS = Integer.getInteger("holdfast.strange.reports", 400);
  private static final long SEED = Long.getLong("holdfast.strange.seed", 1);
  private static final long MOST_BYTES = 8 << 20;
  private static final int MOST_ELEMENTS = 65_536;
  private static final Instant NOW = Instant.parse("2026-11-15T00:00:00Z");
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Map<String, Long> most = new TreeMap<>();
  private String line = "";

  /** Does a step and counts what it allocates. */
  private <T> T step(String name, Supplier<T> what) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    T result;
    try {
      result = what.get();
    } catch (RuntimeException | StackOverflowError wrong) {
      throw new AssertionError(name + " fails after " + start(), wrong);
    }
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
    if (most.merge(name, bytes, Math::max) == bytes) {
      assertThat(bytes).as("bytes allocated to %s %s", name, start()).isLessThan(MOST_BYTES);
    }
    return result;
  }

  private String start() {
    return line.length() + " bytes: " + line.substring(0, Math.min(3_000, line.length()));
  }

  private static List<Report> before() {
    Told node = Told.node("n1");
    Told launcher = new Told("run/j1");
    return List.of(
        node.say(Told.described("n1", "r1", "l1")),
        node.say(Told.lostGpu("n1", 1)),
        launcher.say(Told.job("j1", NOW, "n1", "n2")));
  }

  private static Decider decider(ClusterState state) {
    return new Decider(state, Rules.usual(), _ -> Rules.usual());
  }

  @Test
  void whatWasAcceptedCanBeAppliedReadAndShown() {
    int refused = 0;
    int unreadable = 0;
    for (int i = -20; i < REPORTS; i++) {
      if (i == 0) {
        most.clear(); // classes are loaded
      }
      List<String> sources = List.of("node/n1", "run/j1", "public/x");
      String source = sources.get(Math.floorMod(i, 3));
      line = new StrangeReports(SEED + i).line(source, source.startsWith("public") ? 1 : 10);
      Optional<Report> report = step("parse", this::parsed);
      unreadable += report.isEmpty() ? 1 : 0;
      refused +=
          report.filter(it -> it.statement() instanceof Statement.Refused).isPresent() ? 1 : 0;
      report.ifPresent(this::accepted);
    }
    assertThat(unreadable).isLessThan(REPORTS / 2);
    assertThat(refused).isBetween(1, REPORTS - 1);
    System.getLogger("strange reports")
        .log(
            System.Logger.Level.INFO,
            "%d reports, %d refused, %d unreadable; most bytes: %s"
                .formatted(REPORTS, refused, unreadable, most));
  }

  private Optional<Report> parsed() {
    try {
      return Optional.of(Report.of(line));
    } catch (IllegalArgumentException no) {
      return Optional.empty();
    }
  }

  private void accepted(Report report) {
    ClusterState state = new ClusterState();
    Decider decider = decider(state);
    List<Batch> journal = new ArrayList<>();
    for (Report told : before()) {
      journal.add(decided(decider, new Input.Reported(told.source(), List.of(told)), NOW));
    }
    Report next = new Report(report.source(), 2, 1, report.at(), report.statement());
    Input input = new Input.Reported(next.source(), List.of(next));
    Batch batch = step("apply", () -> decided(decider, input, NOW));
    assertThat(batch.entries()).as(start()).hasSizeLessThan(MOST_ELEMENTS);
    journal.add(batch);
    for (Duration later : List.of(Duration.ofMinutes(1), Duration.ofDays(8))) {
      Instant then = NOW.plus(later);
      journal.add(step("tick", () -> decided(decider, new Input.Tick(), then)));
    }
    step("send on", () -> next.line().length());
    String written = step("write", batch::line);
    Batch read = step("read", () -> Batch.of(written));
    assertThat(read.line()).as(start()).isEqualTo(written);

    ClusterState again = new ClusterState();
    journal.forEach(it -> again.apply(Batch.of(it.line())));
    assertThat(StateText.of(again)).as(start()).isEqualTo(StateText.of(state));
    String kept = step("checkpoint", () -> new Batch(NOW, state.kept()).line());
    ClusterState restored = new ClusterState();
    step(
        "restore",
        () -> {
          restored.apply(Batch.of(kept));
          return 0;
        });
    shown(restored, batch);
  }

  private static Batch decided(Decider decider, Input input, Instant now) {
    Decider.Outcome outcome = decider.decide(input, now);
    assertThat(outcome.failures()).isEmpty();
    return new Batch(now, outcome.entries());
  }

  private void shown(ClusterState state, Batch batch) {
    show("overview", () -> StateJson.overview(state, NOW));
    show("heatmap", () -> HeatmapJson.of(state, state.nodes(), NOW));
    show("goodput", () -> GoodputJson.of(state, NOW));
    show("goodput within", () -> GoodputJson.within(state, Duration.ofDays(7), NOW));
    show("lemons", () -> LemonsJson.of(state, Rules.usual(), NOW));
    show("trust", () -> TrustJson.of(state, NOW));
    show("search", () -> new Search(state, NOW, "n").answer());
    state.nodes().forEach(it -> show("node", () -> StateJson.nodeWhole(state, it)));
    state
        .nodes()
        .forEach(
            it ->
                show(
                    "history",
                    () -> new NodeHistoryJson(state, it, Optional.empty(), NOW).answer()));
    state.findings().forEach(it -> show("finding", () -> StateJson.finding(it)));
    state.incidents().forEach(it -> show("incident", () -> StateJson.incidentWhole(state, it)));
    state.decisions().forEach(it -> show("decision", () -> StateJson.decision(state, it)));
    state.jobs().forEach(it -> show("job", () -> StateJson.job(it)));
    for (Entry entry : batch.entries()) {
      if (entry instanceof JobEntry.Told told) {
        show("event", () -> new BriefJobs().of(told));
      }
    }
  }

  private void show(String what, Supplier<Map<String, ?>> answer) {
    step(what, () -> Json.line(answer.get()).length());
  }
}
