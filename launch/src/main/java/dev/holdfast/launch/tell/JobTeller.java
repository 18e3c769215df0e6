package dev.holdfast.launch.tell;

import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobLoss;
import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.cluster.JobProgress;
import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.report.Statement;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.report.Loss;
import dev.holdfast.launch.report.Moment;
import dev.holdfast.launch.report.RunReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells how the job is: at once when its attempt, its nodes or its state change, and how far it is
 * now and then. Only the launcher that leads the job does; the others tell that they are there, so
 * that nobody need believe the leader which nodes the job has.
 */
public final class JobTeller {
  /** How often a job whose state does not change tells how far it is. */
  static final Duration PROGRESS = Duration.ofSeconds(30);

  /**
   * How often it tells all: time lost after a restart is known only later, and a control plane that
   * still believes the node of the last leader listens once it knows better.
   */
  static final Duration WHOLE = Duration.ofMinutes(1);

  private final String job;
  private final String user;
  private final AgentLine line;
  private final Checkpoints checkpoints;
  private final Supplier<List<Moment>> timeline;
  private @Nullable Now told;
  private boolean present;
  private long wholeNanos;
  private long progressNanos;
  private long checkpointsTold;
  private long paceStep = -1;
  private long paceNanos;
  private double stepSeconds;

  /** What makes it worth telling at once. */
  private record Now(JobDescription.State state, int attempt, List<Member> members) {}

  public JobTeller(
      String job,
      String user,
      AgentLine line,
      Checkpoints checkpoints,
      Supplier<List<Moment>> timeline) {
    this.job = job;
    this.user = user;
    this.line = line;
    this.checkpoints = checkpoints;
    this.timeline = timeline;
  }

  /**
   * Looks whether there is news; about once a second.
   *
   * @param step the furthest, −1: not known
   */
  public void look(
      JobDescription.State state, Assignment given, long step, Instant begun, long nanos) {
    pace(given.attempt(), step, nanos);
    Now now = new Now(state, given.attempt(), given.members());
    if (!now.equals(told) || nanos - wholeNanos >= WHOLE.toNanos()) {
      told = now;
      present = false;
      wholeNanos = nanos;
      progressNanos = nanos;
      checkpointsTold = checkpoints.complete();
      JobDescription plain = description(state, given, step, begun);
      line.standing(() -> new Statement.JobTold(with(plain)));
    } else if (nanos - progressNanos >= PROGRESS.toNanos()
        || checkpoints.complete() != checkpointsTold) {
      progressNanos = nanos;
      checkpointsTold = checkpoints.complete();
      line.say(
          new Statement.JobStepped(
              new JobProgress(
                  job,
                  given.attempt(),
                  step,
                  stepSeconds,
                  checkpoints.last(),
                  checkpoints.apart())));
    }
  }

  /** Tells that this launcher is there and does not lead, about once a second. */
  public void follow(long nanos) {
    if (!present || nanos - wholeNanos >= WHOLE.toNanos()) {
      present = true;
      told = null;
      wholeNanos = nanos;
      line.standing(() -> new Statement.JobHere(job, user, true));
    }
  }

  /** Tells that this launcher, which does not lead, is there no more. */
  public void left() {
    if (present) {
      line.standing(() -> new Statement.JobHere(job, user, false));
    }
  }

  /** The launcher decided for its job. */
  public void decided(int attempt, Decision decision) {
    line.say(
        new Statement.JobDecided(
            job,
            attempt,
            decision.choice().name().toLowerCase(Locale.ROOT),
            decision.without(),
            decision.why()));
  }

  /** Seconds a step takes, over the time since the last look that showed progress. */
  private void pace(int attempt, long step, long nanos) {
    boolean same = told != null && told.attempt() == attempt;
    if (same && paceStep >= 0 && step > paceStep && nanos - paceNanos >= PROGRESS.toNanos() / 3) {
      stepSeconds = (nanos - paceNanos) / 1e9 / (step - paceStep);
      paceStep = step;
      paceNanos = nanos;
    } else if (!same || paceStep < 0) {
      paceStep = step;
      paceNanos = nanos;
    }
  }

  private JobDescription description(
      JobDescription.State state, Assignment given, long step, Instant begun) {
    List<JobMember> members = new ArrayList<>();
    int first = 0;
    for (Member member : given.members()) {
      members.add(new JobMember(member.node(), first, member.processes()));
      first += member.processes();
    }
    return new JobDescription(
        job,
        user,
        state,
        given.attempt(),
        given.restarts(),
        begun,
        members,
        step,
        stepSeconds,
        checkpoints.last(),
        checkpoints.apart(),
        List.of());
  }

  /** With the time lost so far; a long timeline takes a moment to read. */
  private JobDescription with(JobDescription plain) {
    List<JobLoss> losses = new ArrayList<>();
    for (Loss loss : RunReport.of(timeline.get()).losses()) {
      var diagnosis = loss.attempt().diagnosis();
      String cause = diagnosis == null ? "unknown" : diagnosis.kind().word();
      add(losses, "detect", cause, loss.detect());
      add(losses, "decide", cause, loss.decide());
      add(losses, "stop", cause, loss.stop());
      add(losses, "restart", cause, loss.restart());
      add(losses, "re-init", cause, loss.initialise());
      add(losses, "recompute", cause, loss.repeat());
    }
    return plain.with(losses);
  }

  private static void add(
      List<JobLoss> losses, String phase, String cause, @Nullable Duration lost) {
    if (lost == null || lost.isZero()) {
      return;
    }
    double seconds = lost.toMillis() / 1000.0;
    for (int i = 0; i < losses.size(); i++) {
      JobLoss known = losses.get(i);
      if (known.phase().equals(phase) && known.cause().equals(cause)) {
        losses.set(i, new JobLoss(phase, cause, known.seconds() + seconds));
        return;
      }
    }
    losses.add(new JobLoss(phase, cause, seconds));
  }
}
