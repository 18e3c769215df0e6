package dev.holdfast.bench.net;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Watches whether cores stay as near to each other as they have been seen to be. What was measured
 * while they were further apart is measured again, a few times; that they were apart is the only
 * reason for it, never what came out.
 */
final class CoreWatch {
  /** Further than this many times the shortest way seen, they are apart. */
  private static final double APART = 2;

  private static final int MOST_TRIES = 4;
  private static final long PAUSE_MILLIS = 250;
  private static final long GRACE_NANOS = 1_000_000_000;

  /** They may stay apart for good. */
  private static final int MOST_PAUSES = 40;

  /** So long ranks hear nothing at most: a look after one measurement, and all before the next. */
  static final double MOST_SECONDS =
      MOST_PAUSES * PAUSE_MILLIS / 1e3 + (MOST_PAUSES + 2) * CoreDistance.MOST_SECONDS;

  private final Distance distance;
  private final boolean again;
  private final long grace;
  private final Consumer<String> log;
  private double nearest = Double.POSITIVE_INFINITY;
  private double furthest;
  private long worked;
  private long waited;
  private int repeated;
  private int left;

  /**
   * How far the cores are apart now, in nanoseconds; {@link CoreDistance#UNKNOWN} counts as near.
   */
  interface Distance {
    double longest(List<Integer> cores) throws IOException;

    /** Lets some time pass before the next look. */
    default void pause() throws IOException {
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException interrupted) {
        throw new Stopped(interrupted);
      }
    }
  }

  /** What is measured. */
  interface Work<T> {
    T run() throws IOException;
  }

  /**
   * @param again whether what was measured while they were apart is measured again
   */
  CoreWatch(boolean again) {
    this(CoreDistance::longest, again, GRACE_NANOS, _ -> {});
  }

  /** As it is, but told to somebody before they are waited for. */
  CoreWatch(Consumer<String> log) {
    this(CoreDistance::longest, true, GRACE_NANOS, log);
  }

  /**
   * @param grace how long they are waited for in all beyond the time it takes to measure
   */
  CoreWatch(Distance distance, boolean again, long grace, Consumer<String> log) {
    this.distance = distance;
    this.again = again;
    this.grace = grace;
    this.log = log;
  }

  /**
   * Measures; at most {@value #MOST_TRIES} times.
   *
   * @param cores that ranks are bound to; nothing is watched when they are fewer than two
   */
  <T> T during(List<Integer> cores, Work<T> work) throws IOException {
    for (int attempt = 1; ; attempt++) {
      double before = near(cores);
      long began = System.nanoTime();
      T result = work.run();
      worked += System.nanoTime() - began;
      double longest = Math.max(before, look(cores));
      boolean apart = longest > APART * nearest;
      if (!apart || !again || attempt == MOST_TRIES || !mayWait()) {
        left += apart ? 1 : 0;
        furthest = Math.max(furthest, longest);
        return result;
      }
      repeated++;
    }
  }

  /** Waits a while for cores that are apart now. */
  private double near(List<Integer> cores) throws IOException {
    double now = look(cores);
    for (int i = 0; i < MOST_PAUSES && again && mayWait() && now > APART * nearest; i++) {
      if (i == 0) {
        log.accept("the hypervisor moved the cores apart: waiting, 10 s at most");
      }
      distance.pause();
      waited += PAUSE_MILLIS * 1_000_000;
      now = look(cores);
    }
    return now;
  }

  /** Nobody waits longer than it takes to measure. */
  private boolean mayWait() {
    return waited < worked + grace;
  }

  private double look(List<Integer> cores) throws IOException {
    if (cores.size() < 2) {
      return CoreDistance.UNKNOWN;
    }
    double now = distance.longest(cores);
    if (now > CoreDistance.UNKNOWN) {
      nearest = Math.min(nearest, now);
    }
    return now;
  }

  /** The longest way between neighbours in all that counts, in nanoseconds; 0 if not known. */
  double furthest() {
    return furthest;
  }

  /** What a reader must know of it. */
  List<String> notes() {
    if (repeated == 0 && left == 0) {
      return List.of();
    }
    String all =
        String.format(
            Locale.ROOT,
            "the hypervisor moved the cores apart and back (a line of cache took %.0f ns there and"
                + " back at best): %s",
            nearest,
            repeated == 0 ? "" : repeated + " measured again");
    return List.of(
        left == 0
            ? all
            : String.format(
                Locale.ROOT,
                "%s%s%d counted although they were up to %.0f ns apart",
                all,
                repeated == 0 ? "" : ", ",
                left,
                furthest));
  }
}
