package dev.holdfast.launch.tell;

import dev.holdfast.launch.job.RankActivity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * When were checkpoints complete, by what the ranks say? One is complete when all ranks that write
 * any have said so. Ranks that never say so have none that anybody knows of.
 */
public final class Checkpoints {
  private long earlier;
  private long here;
  private Optional<Instant> last = Optional.empty();
  private double apart;

  /** Looks at all ranks, about once a second. */
  public synchronized void look(List<RankActivity> ranks, Instant now) {
    long least =
        ranks.stream().mapToLong(RankActivity::checkpoints).filter(it -> it > 0).min().orElse(0);
    if (least > here) {
      apart =
          last.map(it -> Duration.between(it, now).toMillis() / 1000.0 / (least - here))
              .orElse(apart);
      last = Optional.of(now);
      here = least;
    }
  }

  /** A new attempt begins, and its ranks count anew. */
  public synchronized void again() {
    earlier += here;
    here = 0;
  }

  /** How many were complete so far. */
  public synchronized long complete() {
    return earlier + here;
  }

  public synchronized Optional<Instant> last() {
    return last;
  }

  /** Seconds between the last two, 0: not known. */
  public synchronized double apart() {
    return apart;
  }
}
