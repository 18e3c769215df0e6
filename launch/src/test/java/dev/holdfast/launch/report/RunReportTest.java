package dev.holdfast.launch.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.core.text.Style;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunReportTest {
  @TempDir Path folder;

  @Test
  void aCleanRunSpendsItsTimeTraining() {
    RunReport report = Story.clean().report();
    assertThat(report.losses()).isEmpty();
    assertThat(report.exitCode()).isZero();
    assertThat(seconds(report, Spent.TRAINING)).isEqualTo(869.0);
    assertThat(seconds(report, Spent.PAUSING)).isEqualTo(12.0);
    assertThat(seconds(report, Spent.PREPARING)).isEqualTo(19.5);
    assertThat(report.goodput().orElseThrow()).isCloseTo(869 / 903.4, within(1e-3));
  }

  @Test
  void aHangIsPaidForFromTheLastStepToTheStepsDoneTwice() {
    RunReport report = Story.hang().report();
    Loss loss = report.losses().getFirst();
    assertThat(loss.detect()).isEqualTo(Duration.ofSeconds(18));
    assertThat(loss.decide()).isEqualTo(Duration.ofMillis(10));
    assertThat(loss.stop()).isEqualTo(Duration.ofMillis(3490));
    assertThat(loss.restart()).isEqualTo(Duration.ofSeconds(2));
    assertThat(loss.initialise()).isEqualTo(Duration.ofMillis(24_500));
    Duration repeat = Objects.requireNonNull(loss.repeat());
    assertThat(repeat.toMillis() / 1e3).isCloseTo(2330.0 * 72 / 560, within(0.01));
    assertThat(report.attempts().getLast().repeatedSteps()).isEqualTo(73);
  }

  @Test
  void aKillIsNoticedAtTheExit() {
    Loss loss = Story.kill().report().losses().getFirst();
    assertThat(loss.attempt().fault()).isEqualTo(Duration.ofSeconds(312));
    assertThat(loss.detect()).isEqualTo(Duration.ofMillis(200));
    assertThat(loss.stop()).isEqualTo(Duration.ofMillis(500));
    assertThat(loss.total()).isGreaterThan(Duration.ofSeconds(10));
  }

  @Test
  void theLastInterruptionIsFollowedByNothing() {
    List<Loss> losses = Story.crashLoop().report().losses();
    assertThat(losses).hasSize(3);
    assertThat(losses.getLast().restart()).isNull();
    assertThat(losses.getFirst().restart()).isNotNull();
  }

  @Test
  void withoutStepsGoodputIsNotKnown() {
    RunReport report = Story.crashLoop().report();
    assertThat(report.goodput()).isEmpty();
    assertThat(report.spent()).containsKey(Spent.RUNNING).doesNotContainKey(Spent.TRAINING);
  }

  @Test
  void aToldBeginOfTheFaultIsBelieved() {
    Story story = Story.begin(1, 1).start(0, 1, 2).train(0, 5, 100, 1, 100).at(130);
    long now = story.moments().getFirst().monotonicNanos() + 130_000_000_000L;
    RunReport report =
        story
            .add(
                Kinds.DIAGNOSIS,
                "attempt",
                0,
                "class",
                "hang",
                "what",
                "x",
                "faultNanos",
                now - 20_000_000_000L)
            .stop(0, 130, 131)
            .report();
    assertThat(report.attempts().getFirst().fault()).isEqualTo(Duration.ofSeconds(110));
  }

  @Test
  void theWallClockDoesNotMatter() {
    List<Moment> moments = Story.hang().moments();
    List<Moment> jumped = new ArrayList<>();
    Random random = new Random(3);
    for (Moment moment : moments) {
      jumped.add(
          new Moment(
              moment.at().plusSeconds(random.nextInt(2_000_000) - 1_000_000),
              moment.monotonicNanos(),
              moment.kind(),
              moment.details()));
    }
    assertThat(RunReport.of(jumped).segments()).isEqualTo(RunReport.of(moments).segments());
  }

  @Test
  void anotherMachineGoesOnWithItsOwnClock() {
    List<Moment> moments = Story.hang().moments();
    List<Moment> moved = new ArrayList<>();
    boolean after = false;
    for (Moment moment : moments) {
      long nanos = moment.monotonicNanos() - 6_000_000_000_000L;
      if (!after && moment.attempt() == 1) {
        after = true;
        moved.add(new Moment(moment.at(), nanos, Kinds.WATCHER_RESTARTED, Collections.emptyMap()));
      }
      moved.add(after ? new Moment(moment.at(), nanos, moment.kind(), moment.details()) : moment);
    }
    assertThat(RunReport.of(moved).segments()).isEqualTo(Story.hang().report().segments());
  }

  @Test
  void theSameFromMemoryAndFromDisk() throws Exception {
    Path file = folder.resolve("timeline.log");
    List<Moment> moments = Story.nodeLost().moments();
    RunReport live;
    try (Timeline timeline = Timeline.open(file)) {
      moments.forEach(timeline::add);
      live = RunReport.of(timeline.moments());
    }
    assertThat(RunReport.of(TimelineFile.read(file).moments())).isEqualTo(live);
  }

  @Test
  void anySubsetInAnyOrderGivesAReportThatAddsUp() {
    Random random = new Random(11);
    List<Story> stories =
        List.of(
            Story.clean(),
            Story.hang(),
            Story.kill(),
            Story.nodeLost(),
            Story.crashLoop(),
            Story.preempted());
    for (int round = 0; round < 3_000; round++) {
      List<Moment> moments = new ArrayList<>(stories.get(random.nextInt(stories.size())).moments());
      double keep = random.nextDouble();
      moments.removeIf(_ -> random.nextDouble() > keep);
      if (random.nextInt(4) == 0) {
        Collections.shuffle(moments, random);
      }
      if (random.nextInt(4) == 0) {
        moments.replaceAll(moment -> spoil(moment, random));
      }
      verify(RunReport.of(moments));
    }
  }

  private static Moment spoil(Moment moment, Random random) {
    if (random.nextInt(3) > 0 || moment.details().isEmpty()) {
      return moment;
    }
    Map<String, @Nullable Object> details = new LinkedHashMap<>(moment.details());
    String name = List.copyOf(details.keySet()).get(random.nextInt(details.size()));
    details.put(
        name,
        switch (random.nextInt(5)) {
          case 0 -> null;
          case 1 -> "text";
          case 2 -> Long.MAX_VALUE;
          case 3 -> -1L;
          default -> List.of(1.5, "x");
        });
    long nanos = random.nextInt(5) == 0 ? random.nextLong() / 4 : moment.monotonicNanos();
    return new Moment(moment.at(), nanos, moment.kind(), details);
  }

  private static void verify(RunReport report) {
    Duration at = Duration.ZERO;
    for (RunReport.Segment segment : report.segments()) {
      assertThat(segment.from()).as("no gap, no overlap").isEqualTo(at);
      assertThat(segment.to()).isGreaterThan(segment.from());
      at = segment.to();
    }
    assertThat(at).isLessThanOrEqualTo(report.wall());
    report.goodput().ifPresent(share -> assertThat(share).isBetween(0.0, 1.0));
    for (Loss loss : report.losses()) {
      assertThat(loss.total().isNegative()).isFalse();
      assertThat(loss.total()).isLessThanOrEqualTo(report.wall());
    }
    assertThat(RunPage.html(report)).doesNotContain("NaN");
    assertThat(RunPage.text(report, 80, Style.PLAIN)).isNotEmpty();
    assertThat(RunPage.json(report)).isNotEmpty();
  }

  private static double seconds(RunReport report, Spent spent) {
    return report.spent().getOrDefault(spent, Duration.ZERO).toMillis() / 1e3;
  }
}
