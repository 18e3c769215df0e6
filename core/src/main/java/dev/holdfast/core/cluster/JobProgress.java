package dev.holdfast.core.cluster;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How far a job is; the part of {@link JobDescription} that changes all the time. */
public record JobProgress(
    String job,
    int attempt,
    long step,
    double stepSeconds,
    Optional<Instant> checkpoint,
    double checkpointSeconds) {
  public JobProgress {
    step = Math.max(-1, step);
    stepSeconds = JobLoss.sound(stepSeconds);
    checkpointSeconds = JobLoss.sound(checkpointSeconds);
  }

  /** The same of a job under another name. */
  public JobProgress named(String other) {
    return new JobProgress(other, attempt, step, stepSeconds, checkpoint, checkpointSeconds);
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "job",
        job,
        "attempt",
        attempt,
        "step",
        step,
        "stepSeconds",
        stepSeconds,
        "checkpoint",
        checkpoint.map(Times::show).orElse(null),
        "checkpointSeconds",
        checkpointSeconds);
  }

  public static JobProgress of(Fields fields) {
    return new JobProgress(
        fields.text("job"),
        fields.integer("attempt"),
        fields.number("step", -1),
        fields.decimal("stepSeconds", 0),
        fields.optionalText("checkpoint").map(Times::read),
        fields.decimal("checkpointSeconds", 0));
  }
}
