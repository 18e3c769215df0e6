package dev.holdfast.launch.run;

import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.plan.LogFolders;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.supervise.Event;

/**
 * What the timeline says of an attempt on this node: its ranks, when they came and how they went.
 */
final class AttemptNotes {
  private final JobSpec spec;
  private final RunLog log;

  AttemptNotes(JobSpec spec, RunLog log) {
    this.spec = spec;
    this.log = log;
  }

  void prepared(Assignment given) {
    log.moment(Kinds.ATTEMPT_PREPARED, AttemptDetails.of(given));
    log.say(
        "attempt %d: %d ranks on %d node%s, store %s:%d, logs in %s"
            .formatted(
                given.attempt(),
                given.worldSize(),
                given.members().size(),
                given.members().size() == 1 ? "" : "s",
                given.storeHost(),
                given.storePort(),
                LogFolders.ofAttempt(spec, given.attempt())));
  }

  /**
   * @param standby whether it had waited as one
   * @param all whether it was the last of this node's ranks
   */
  void started(int attempt, int rank, long pid, boolean standby, boolean all) {
    log.moment(
        Kinds.RANK_STARTED,
        "attempt",
        attempt,
        "rank",
        rank,
        "node",
        spec.here().node(),
        "pid",
        pid,
        "warm",
        standby ? true : null);
    if (all) {
      log.moment(Kinds.RANKS_STARTED, "attempt", attempt);
    }
  }

  /** Whether an earlier process of this launcher has noted that it started. */
  boolean knowsStart(int attempt, int rank) {
    return log.noted(Kinds.RANK_STARTED, attempt, rank);
  }

  void exited(Event.Exited event) {
    if (!log.noted(Kinds.RANK_EXITED, event.attempt(), event.rank())) {
      log.moment(
          Kinds.RANK_EXITED,
          "attempt",
          event.attempt(),
          "rank",
          event.rank(),
          "node",
          spec.here().node(),
          "exitCode",
          event.exitCode(),
          "signal",
          event.signal(),
          "stoppedByUs",
          event.stoppedByUs());
    }
  }

  void lastStep(int attempt, long step) {
    log.moment(Kinds.STEP, "attempt", attempt, "step", step);
  }
}
