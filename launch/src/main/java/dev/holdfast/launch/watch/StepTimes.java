package dev.holdfast.launch.watch;

import dev.holdfast.launch.job.StepTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * When did a rank tell of its latest steps? A few of them, so that telling all of a job's times to
 * one place stays cheap: about one every two seconds, of steps that every rank of the job picks
 * too. These are the multiples of a power of two, which grows where steps are short; multiples of a
 * larger one are multiples of the smaller ones, so ranks that chose differently still share some.
 */
public final class StepTimes {
  private static final int KEPT = 2;
  private static final double SHORT_SECONDS = 1;
  private static final double LONG_SECONDS = 4;
  private static final long MOST_STRIDE = 1 << 20;

  /** Beyond this a clock was set, or the beat is from another time. */
  private static final double OLDEST_SECONDS = 3600;

  private final Deque<StepTime> latest = new ArrayDeque<>();
  private long stride = 1;
  private long lastStep = -1;

  /**
   * What it told since the last look.
   *
   * @param ahead by how many seconds the clock that only goes forward is ahead of the one beats are
   *     stamped with
   * @param now of the clock that only goes forward
   */
  public void told(List<Beat> fresh, double ahead, double now) {
    for (Beat beat : fresh) {
      double at = beat.seconds() + ahead;
      boolean sane = at <= now + 1 && at >= now - OLDEST_SECONDS;
      if (beat.step() > lastStep && beat.step() % stride == 0 && sane) {
        lastStep = beat.step();
        pace(at);
        latest.addLast(new StepTime(beat.step(), at));
        if (latest.size() > KEPT) {
          latest.removeFirst();
        }
      }
    }
  }

  private void pace(double at) {
    StepTime before = latest.peekLast();
    if (before == null || before.step() % stride != 0) {
      return;
    }
    double gap = at - before.seconds();
    if (gap < SHORT_SECONDS && stride < MOST_STRIDE) {
      stride *= 2;
    } else if (gap > LONG_SECONDS && stride > 1) {
      stride /= 2;
    }
  }

  /** The latest few. */
  public List<StepTime> latest() {
    return List.copyOf(latest);
  }
}
