package dev.holdfast.launch.report;

/**
 * What a moment can be about, and which details it carries. {@code attempt} counts from 0; every
 * detail may be missing, and the report then says "not known".
 */
public final class Kinds {
  /** job, command (list of texts), maxRestarts, minNodes. */
  public static final String JOB_BEGUN = "job-begun";

  /** node. */
  public static final String NODE_JOINED = "node-joined";

  /** attempt, world, members (objects of node, firstRank, processes). */
  public static final String ATTEMPT_PREPARED = "attempt-prepared";

  /** attempt, rank, node, pid, warm: whether it was a standby. */
  public static final String RANK_STARTED = "rank-started";

  /** attempt, localRank, pid, bytes: a process waits to become a rank. */
  public static final String STANDBY_READY = "standby-ready";

  /** attempt, localRank, what: there is no standby, or it could not be used. */
  public static final String STANDBY_LOST = "standby-lost";

  /** attempt: all ranks of this node, or of the job, run. */
  public static final String RANKS_STARTED = "ranks-started";

  /** attempt, rank, step: the first step the rank told of in this attempt. */
  public static final String FIRST_STEP = "first-step";

  /** attempt, step: a sample of the job's progress, at most one in a few seconds. */
  public static final String STEP = "step";

  /** attempt, phase, rank: the script says it does something else than steps. */
  public static final String PHASE_BEGUN = "phase-begun";

  /** attempt, phase, rank. */
  public static final String PHASE_ENDED = "phase-ended";

  /** what, severity, attempt. */
  public static final String FINDING = "finding";

  /** attempt, rank, node, exitCode, signal, stoppedByUs. */
  public static final String RANK_EXITED = "rank-exited";

  /** attempt and the fields of a diagnosis; faultNanos: when it began, by the same clock. */
  public static final String DIAGNOSIS = "diagnosis";

  /** attempt and the fields of a decision. */
  public static final String DECISION = "decision";

  /** attempt, why. */
  public static final String STOP_BEGUN = "stop-begun";

  /** attempt, left (process ids that would not die). */
  public static final String STOPPED = "stopped";

  /** attempt and the fields of an action's outcome. */
  public static final String ACTION = "action";

  /** attempt, outcome (done, failed, stopped). */
  public static final String ATTEMPT_ENDED = "attempt-ended";

  /** exitCode, why. */
  public static final String JOB_ENDED = "job-ended";

  /** seconds: how far the wall clock moved by itself. */
  public static final String CLOCK_JUMP = "clock-jump";

  /** earlier: how many watchers there were before this one. */
  public static final String WATCHER_RESTARTED = "watcher-restarted";

  /** what. */
  public static final String TROUBLE = "trouble";

  private Kinds() {}
}
