package dev.holdfast.bench.net;

import java.io.IOException;

/**
 * Somebody wants measuring to end, by Ctrl-C or a scheduler's signal. What was measured until then
 * counts.
 */
public final class Stopped extends IOException {
  private static final long serialVersionUID = 1;

  /** Leaves the thread interrupted, so that whatever it waits for on the way out ends at once. */
  Stopped(InterruptedException interrupted) {
    super("interrupted", interrupted);
    Thread.currentThread().interrupt();
  }
}
