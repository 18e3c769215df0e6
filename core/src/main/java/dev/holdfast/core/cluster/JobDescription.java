package dev.holdfast.core.cluster;

import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a job is, told by its launcher (or read from a scheduler) when that changes and now and then.
 *
 * @param job {@code slurm-4711}, {@code local-…}
 * @param attempt counts from 0
 * @param begun when the job began, all attempts counted
 * @param step the last step all ranks did, −1: not known
 * @param stepSeconds how long a step takes, 0: not known
 * @param checkpoint when the last checkpoint was complete
 * @param checkpointSeconds how far checkpoints are apart, 0: not known
 * @param losses the time lost so far, by phase and cause
 */
public record JobDescription(
    String job,
    String user,
    State state,
    int attempt,
    int restarts,
    Instant begun,
    JobMembers members,
    long step,
    double stepSeconds,
    Optional<Instant> checkpoint,
    double checkpointSeconds,
    List<JobLoss> losses) {

  /** Where a job stands. */
  public enum State {
    WAITING,
    RUNNING,
    STOPPING,
    FINISHED,
    FAILED,
    /** Its launcher went away without a word; whether the job goes on nobody can tell. */
    LOST;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public boolean over() {
      return this == FINISHED || this == FAILED || this == LOST;
    }
  }

  /** More kinds of losses than these no job has; the others count as none. */
  public static final int MAX_LOSSES = 256;

  /** What no job can be is as good as not known. */
  public JobDescription {
    attempt = Math.max(0, attempt);
    restarts = Math.max(0, restarts);
    step = Math.max(-1, step);
    stepSeconds = JobLoss.sound(stepSeconds);
    checkpointSeconds = JobLoss.sound(checkpointSeconds);
    losses = List.copyOf(losses.subList(0, Math.min(MAX_LOSSES, losses.size())));
  }

  public JobDescription(
      String job,
      String user,
      State state,
      int attempt,
      int restarts,
      Instant begun,
      List<JobMember> members,
      long step,
      double stepSeconds,
      Optional<Instant> checkpoint,
      double checkpointSeconds,
      List<JobLoss> losses) {
    this(
        job,
        user,
        state,
        attempt,
        restarts,
        begun,
        JobMembers.of(members),
        step,
        stepSeconds,
        checkpoint,
        checkpointSeconds,
        losses);
  }

  /** How far it is; what changes all the time. */
  public JobProgress progress() {
    return new JobProgress(job, attempt, step, stepSeconds, checkpoint, checkpointSeconds);
  }

  /** The same job, so far. */
  public JobDescription at(JobProgress now) {
    return new JobDescription(
        job,
        user,
        state,
        attempt,
        restarts,
        begun,
        members,
        now.step(),
        now.stepSeconds(),
        now.checkpoint(),
        now.checkpointSeconds(),
        losses);
  }

  /** The same job with the time it lost so far. */
  public JobDescription with(List<JobLoss> lost) {
    return new JobDescription(
        job,
        user,
        state,
        attempt,
        restarts,
        begun,
        members,
        step,
        stepSeconds,
        checkpoint,
        checkpointSeconds,
        lost);
  }

  /** The same job under another name. */
  public JobDescription named(String other) {
    return new JobDescription(
        other,
        user,
        state,
        attempt,
        restarts,
        begun,
        members,
        step,
        stepSeconds,
        checkpoint,
        checkpointSeconds,
        losses);
  }

  /** The same job, elsewhere in its life. */
  public JobDescription in(State other) {
    return new JobDescription(
        job,
        user,
        other,
        attempt,
        restarts,
        begun,
        members,
        step,
        stepSeconds,
        checkpoint,
        checkpointSeconds,
        losses);
  }

  public boolean uses(String node) {
    return members.uses(node);
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "job",
        job,
        "user",
        user.isEmpty() ? null : user,
        "state",
        state.word(),
        "attempt",
        attempt,
        "restarts",
        restarts,
        "begun",
        Times.show(begun),
        "members",
        members.json(),
        "nodesLeftOut",
        members.leftOut() == 0 ? null : members.leftOut(),
        "step",
        step,
        "stepSeconds",
        stepSeconds,
        "checkpoint",
        checkpoint.map(Times::show).orElse(null),
        "checkpointSeconds",
        checkpointSeconds,
        "losses",
        losses.stream().map(JobLoss::json).toList());
  }

  /** As {@link #of}, but of a report: what is beyond the limits is refused. */
  public static JobDescription told(Fields fields) {
    JobDescription job = of(fields);
    int losses = fields.objects("losses").size();
    if (losses > MAX_LOSSES) {
      throw new IllegalArgumentException(losses + " losses; " + MAX_LOSSES + " are allowed");
    }
    job.members.requireWhole();
    Subject.requireName(job.job);
    return job;
  }

  /** What was taken in once; what is beyond the limits is cut. */
  public static JobDescription of(Fields fields) {
    return new JobDescription(
        fields.text("job"),
        fields.text("user", ""),
        fields.word("state", State.class),
        fields.integer("attempt"),
        fields.integer("restarts", 0),
        Times.read(fields.text("begun")),
        JobMembers.read(fields.objects("members"), Math.max(0, fields.number("nodesLeftOut", 0))),
        fields.number("step", -1),
        fields.decimal("stepSeconds", 0),
        fields.optionalText("checkpoint").map(Times::read),
        fields.decimal("checkpointSeconds", 0),
        fields.objects("losses").stream().map(JobLoss::of).toList());
  }
}
