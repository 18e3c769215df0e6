package dev.holdfast.os.nvml;

import java.time.Duration;

/** What does the NVIDIA driver say of this node and its devices? */
public final class Nvml {
  private Nvml() {}

  /** The facts, one {@code key=value} per line. */
  public static String read(Duration callDeadline, Duration totalDeadline) {
    return "library.present=false\n";
  }
}
