package dev.holdfast.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.control.testing.Told;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Json;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BriefJobsTest {
  private final BriefJobs brief = new BriefJobs();

  private String line(Instant checkpoint, String... nodes) {
    Statement.JobTold told = (Statement.JobTold) Told.job("j", checkpoint, nodes);
    return Json.line(brief.of(new JobEntry.Told(told.job(), "run/j")));
  }

  @Test
  void theNodesOfAJobAreToldOnlyWhenTheyChanged() {
    Instant time = Instant.parse("2026-11-15T00:00:00Z");
    assertThat(line(time, "n1", "n2")).contains("\"members\":[", "\"nodes\":2", "job.told");
    assertThat(line(time.plusSeconds(60), "n1", "n2"))
        .doesNotContain("members", "losses")
        .contains("\"nodes\":2", "\"processes\":16", "\"stepSeconds\":1");
    assertThat(line(time, "n1", "n3")).contains("\"members\":[", "n[1,3]");
  }
}
