package dev.holdfast.core.forensics.logs;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * One thing on the timeline.
 *
 * @param time by the corrected clock; empty: known only to be between its neighbours
 * @param ranks who wrote it, as people write it; empty: no rank
 * @param node where; empty: several or not known
 * @param source file and line: {@code rank12.log:4711}
 */
public record LogMoment(
    Optional<Instant> time, Role role, String ranks, String node, String text, String source) {

  /** What it stands for in the story. */
  public enum Role {
    /** The run was fine: last step, end of the start. */
    PROGRESS,
    /** It can be the beginning. */
    CAUSE,
    /** Somebody suffers from somebody else. */
    CONSEQUENCE,
    /** How a process ended. */
    END,
    KERNEL,
    SCHEDULER;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
