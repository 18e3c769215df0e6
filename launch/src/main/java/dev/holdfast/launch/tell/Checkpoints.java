package dev.holdfast.launch.tell;

import dev.holdfast.launch.job.RankActivity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * When were checkpoints complete, by what the ranks say? One is complete when no rank is in that
 * phase any more after one was. Ranks that never say so have none that anybody knows of.
 */
public final class Checkpoints {
  private static final String PHASE = "checkpoint";

  private boolean writing;
  private int complete;
  private Optional<Instant> last = Optional.empty();
  private double apart;

  /** Looks at all ranks, about once a second. */
  public synchronized void look(List<RankActivity> ranks, Instant now) {
    boolean any = ranks.stream().anyMatch(it -> it.phase().equals(PHASE));
    if (writing && !any && !ranks.isEmpty()) {
      complete++;
      apart = last.map(it -> Duration.between(it, now).toMillis() / 1000.0).orElse(apart);
      last = Optional.of(now);
    }
    writing = any || (writing && ranks.isEmpty());
  }

  /** A new attempt begins: what the last one was writing never got complete. */
  public synchronized void interrupted() {
    writing = false;
  }

  /** How many were complete so far. */
  public synchronized int complete() {
    return complete;
  }

  public synchronized Optional<Instant> last() {
    return last;
  }

  /** Seconds between the last two, 0: not known. */
  public synchronized double apart() {
    return apart;
  }
}
