package dev.holdfast.os.process;

import java.time.Duration;

/**
 * What a command answered.
 *
 * @param exitCode 128 + signal when a signal ended it; -1 unless {@link Ending#EXITED}
 * @param truncated whether it said more than the limits allow; what is here is the beginning
 * @param why what went wrong in one sentence, empty when the exit code is zero
 */
public record CommandResult(
    Ending ending,
    int exitCode,
    String output,
    String error,
    boolean truncated,
    Duration took,
    String why) {
  /** Whether the command ended by itself with exit code zero. */
  public boolean succeeded() {
    return ending == Ending.EXITED && exitCode == 0;
  }
}
