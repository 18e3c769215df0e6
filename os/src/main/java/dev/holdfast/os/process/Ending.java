package dev.holdfast.os.process;

/** How a command came to its end. */
public enum Ending {
  /** By itself, with an exit code. */
  EXITED,
  /** At its deadline; the process and what it had started were killed. */
  TIMED_OUT,
  /** There is no such program. */
  NOT_FOUND,
  /** It could not be started, or the caller was interrupted. */
  FAILED
}
