package dev.holdfast.launch.watch;

import dev.holdfast.core.forensics.FlightDump;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * At which collective does each rank of this node stand, when nothing moves any more? The flight
 * recorders are asked when no rank here gave a sign for longer than ever, again a little later, and
 * then every few minutes. A number counts when two records in a row agree on it: a rank that is
 * only slow goes on in between.
 *
 * <p>Asking and reading happen on a thread of their own. Otherwise for one thread only.
 */
public final class CollectiveWatch {
  private static final double QUIET_SECONDS = 20;
  private static final double LONGEST_QUIET = 900;
  private static final double AGAIN_SECONDS = 12;
  private static final double PAUSE_SECONDS = 300;
  private static final double OUT_OF_THE_USUAL = 2;
  private static final Duration ANSWER = Duration.ofSeconds(6);
  private static final Duration LOOK = Duration.ofMillis(100);

  private final double scale;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile List<FlightRecorder> recorders = List.of();
  private long mark = -1;
  private double movedAt = Double.NaN;
  private double longestGap;
  private double askedAt = Double.NaN;
  private int rounds;
  private volatile Map<Integer, Long> last = Map.of();
  private volatile Map<Integer, Long> standing = Map.of();

  public CollectiveWatch() {
    this(1);
  }

  /**
   * @param scale of all waits, for tests
   */
  CollectiveWatch(double scale) {
    this.scale = scale;
  }

  public void attemptBegins(List<FlightRecorder> ofItsRanks) {
    recorders = List.copyOf(ofItsRanks);
    mark = -1;
    movedAt = Double.NaN;
    longestGap = 0;
    forget();
  }

  private void forget() {
    askedAt = Double.NaN;
    rounds = 0;
    last = Map.of();
    standing = Map.of();
  }

  /**
   * Once a second.
   *
   * @param signs a number that changes whenever a rank of this node gives a sign of progress
   */
  public void second(double nowSeconds, long signs) {
    if (signs != mark) {
      // The first sign ends the start-up, which is like no other gap.
      longestGap = mark <= 0 ? 0 : Math.max(longestGap, nowSeconds - movedAt);
      mark = signs;
      movedAt = nowSeconds;
      forget();
      return;
    }
    double quiet = nowSeconds - movedAt;
    double enough = Math.clamp(OUT_OF_THE_USUAL * longestGap, scale * QUIET_SECONDS, LONGEST_QUIET);
    double pause = scale * (rounds == 1 ? AGAIN_SECONDS : PAUSE_SECONDS);
    boolean due = rounds == 0 ? quiet >= enough : nowSeconds - askedAt >= pause;
    if (due && !recorders.isEmpty() && asking.compareAndSet(false, true)) {
      askedAt = nowSeconds;
      rounds++;
      List<FlightRecorder> asked = recorders;
      Thread.ofPlatform().name("flight recorders").daemon().start(() -> ask(asked));
    }
  }

  private void ask(List<FlightRecorder> asked) {
    try {
      Map<Integer, Long> found = new HashMap<>();
      for (Map.Entry<FlightRecorder, Boolean> entry : records(asked, ANSWER).entrySet()) {
        Optional<FlightDump> dump = entry.getValue() ? entry.getKey().read() : Optional.empty();
        dump.ifPresent(it -> found.put(entry.getKey().rank(), it.enqueued()));
      }
      Map<Integer, Long> before = last;
      Map<Integer, Long> same = new HashMap<>(found);
      same.entrySet().removeIf(entry -> !entry.getValue().equals(before.get(entry.getKey())));
      if (asked == recorders) {
        last = Map.copyOf(found);
        standing = Map.copyOf(same);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } finally {
      asking.set(false);
    }
  }

  /** Asks all, and waits until each has written or the time is over; who has written. */
  public static Map<FlightRecorder, Boolean> records(List<FlightRecorder> asked, Duration limit)
      throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    Map<FlightRecorder, Long> before = new HashMap<>();
    Map<FlightRecorder, Boolean> written = new HashMap<>();
    for (FlightRecorder recorder : asked) {
      long earlier = recorder.writtenMillis();
      if (recorder.ask()) {
        before.put(recorder, earlier);
        written.put(recorder, false);
      }
    }
    while (written.containsValue(false) && System.nanoTime() < end) {
      Thread.sleep(LOOK);
      before.forEach(
          (recorder, earlier) -> written.put(recorder, recorder.writtenMillis() > earlier));
    }
    if (written.containsValue(true)) {
      // A file that has just appeared may still grow.
      Thread.sleep(LOOK);
    }
    return written;
  }

  /** The last collective the rank began, when it stands still there; −1: not known. */
  public long collective(int rank) {
    return standing.getOrDefault(rank, -1L);
  }
}
