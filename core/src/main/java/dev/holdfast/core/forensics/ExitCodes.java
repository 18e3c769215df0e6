package dev.holdfast.core.forensics;

/**
 * What a launcher exits with when a job did not end well: 1 for everything, as torchrun does, or
 * codes that tell a requeueing script what to do.
 */
public enum ExitCodes {
  PLAIN(1, 1, 1),
  DISTINCT(42, 75, 143);

  private final int fatal;
  private final int retryable;
  private final int preempted;

  ExitCodes(int fatal, int retryable, int preempted) {
    this.fatal = fatal;
    this.retryable = retryable;
    this.preempted = preempted;
  }

  /** It would only fail again: do not requeue. */
  public int fatal() {
    return fatal;
  }

  /** No restarts or nodes are left, but another allocation may well succeed: requeue. */
  public int retryable() {
    return retryable;
  }

  /** The job was asked to end: requeue when there is room. */
  public int preempted() {
    return preempted;
  }
}
