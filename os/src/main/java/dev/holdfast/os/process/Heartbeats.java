package dev.holdfast.os.process;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Do all threads live that must? Each raises its hand when it has made progress; a witness looks
 * around now and then, and names those that have ended, or have not raised it in their time: a
 * thread that waits for a lock or a disk for ever is as good as dead.
 *
 * <p>Time counts only while somebody looks, at most {@link #STEP} from one look to the next. So a
 * process that was stopped, or a machine that slept, finds nobody late when it goes on.
 */
public final class Heartbeats {
  /** Between two looks, and a busy machine's delay. */
  static final Duration STEP = Duration.ofSeconds(2);

  /** A thread that does not raise its hand any more, and since when; none: it has ended. */
  public record Late(String thread, Duration silence, boolean ended) {
    @Override
    public String toString() {
      return thread
          + (ended ? " has ended" : " has made no progress for " + silence.toSeconds() + " s");
    }

    /** For documents. */
    public Map<String, Object> json() {
      return Map.of("thread", thread, "ended", ended, "silentSeconds", silence.toSeconds());
    }
  }

  /** One thread that must live. */
  public static final class Beat {
    private final String name;
    private final long deadline;
    private volatile @Nullable Thread thread;
    private volatile boolean raised = true;
    private long seen;

    private Beat(String name, Duration deadline) {
      this.name = name;
      this.deadline = deadline.toNanos();
    }

    /** It has made progress. */
    public void beat() {
      raised = true;
    }

    /** Whose it is: noticed at once when that one has ended. */
    public Beat of(Thread lives) {
      thread = lives;
      return this;
    }
  }

  /** Nobody looks at it: for what runs by itself. */
  public static final Beat UNSEEN = new Beat("", Duration.ZERO);

  private final LongSupplier nanos;
  private final List<Beat> beats = new CopyOnWriteArrayList<>();
  private long looked;
  private long lived;

  public Heartbeats() {
    this(System::nanoTime);
  }

  /**
   * @param nanos counts on whatever the clock does
   */
  public Heartbeats(LongSupplier nanos) {
    this.nanos = nanos;
    this.looked = nanos.getAsLong();
  }

  /**
   * A thread that must live from now on.
   *
   * @param deadline the longest it may go without raising its hand while all is well
   */
  public synchronized Beat expect(String name, Duration deadline) {
    Beat beat = new Beat(name, deadline);
    beats.add(beat);
    return beat;
  }

  /** A thread that may wait for ever, and must only not end. */
  public Beat expect(String name, Thread thread) {
    return expect(name, Duration.ZERO).of(thread);
  }

  /** It need not live any more. */
  public void release(Beat beat) {
    beats.remove(beat);
  }

  /** Looks around; names those who are late, in the order they were expected. */
  public synchronized List<Late> late() {
    long now = nanos.getAsLong();
    lived += Math.clamp(now - looked, 0, STEP.toNanos());
    looked = now;
    return beats.stream().flatMap(it -> judged(it).stream()).toList();
  }

  private Optional<Late> judged(Beat beat) {
    if (beat.raised) {
      beat.raised = false;
      beat.seen = lived;
    }
    Thread thread = beat.thread;
    boolean ended = thread != null && thread.getState() == Thread.State.TERMINATED;
    boolean silent = beat.deadline > 0 && lived - beat.seen > beat.deadline;
    return ended || silent
        ? Optional.of(new Late(beat.name, Duration.ofNanos(lived - beat.seen), ended))
        : Optional.empty();
  }
}
