package dev.holdfast.launch.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.report.Moment;
import dev.holdfast.launch.report.Timeline;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogTest {
  private static final Diagnosis DIAGNOSIS =
      new Diagnosis(FailureClass.HANG, List.of(2), "n1", 0.9, "rank 2 hangs", List.of(), 7);

  @TempDir Path folder;

  private static Map<String, @Nullable Object> diagnosed(int attempt) {
    Map<String, @Nullable Object> details = new LinkedHashMap<>(DIAGNOSIS.json());
    details.put("attempt", attempt);
    return details;
  }

  @Test
  void theNextProcessOfAWatcherKnowsWhatWasFoundInThisRunAndOnlyThat() throws Exception {
    Path file = folder.resolve("timeline.log");
    try (Timeline timeline = Timeline.open(file)) {
      timeline.add(Kinds.FINDING, "what", "of a run before in the same folder");
      timeline.add(Kinds.JOB_BEGUN);
      RunLog log = new RunLog(timeline, _ -> {});
      log.finding(0, "degraded", "rank 3 is slow");
      log.moment(Kinds.DIAGNOSIS, diagnosed(0));
      log.found(RunJudge.sentence(DIAGNOSIS));
      assertThat(log.findings())
          .containsExactly("rank 3 is slow", "rank 2 hangs (hang, 90 % sure)");
    }
    List<String> said = new ArrayList<>();
    try (Timeline timeline = Timeline.open(file)) {
      RunLog again = new RunLog(timeline, said::add);
      again.goesOn();
      assertThat(again.findings())
          .containsExactly("rank 3 is slow", "rank 2 hangs (hang, 90 % sure)");
    }
    assertThat(said).isEmpty();
  }

  @Test
  void whatEarlierLeadersToldIsAddedUnlessThisNodeSawItItself() throws Exception {
    try (Timeline timeline = Timeline.open(folder.resolve("timeline.log"))) {
      RunLog log = new RunLog(timeline, _ -> {});
      log.moment(Kinds.ATTEMPT_PREPARED, "attempt", 0, "world", 4);
      List<Moment> story =
          List.of(
              new Moment(Instant.EPOCH, 1, Kinds.ATTEMPT_PREPARED, Json.map("attempt", 0)),
              new Moment(Instant.EPOCH, 2, Kinds.DIAGNOSIS, diagnosed(0)),
              new Moment(Instant.EPOCH, 3, Kinds.STEP, Json.map("attempt", 0, "step", 1)),
              new Moment(Instant.EPOCH, 4, Kinds.STEP, Json.map("attempt", 0, "step", 2)));
      log.inherit(story);
      log.inherit(story);
      assertThat(log.moments())
          .extracting(Moment::kind)
          .containsExactly(Kinds.ATTEMPT_PREPARED, Kinds.DIAGNOSIS, Kinds.STEP, Kinds.STEP);
      assertThat(log.findings()).containsExactly("rank 2 hangs (hang, 90 % sure)");
    }
  }
}
