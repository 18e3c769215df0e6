package dev.holdfast.launch.report;

import dev.holdfast.core.text.Json;
import dev.holdfast.os.file.OwnFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The append log of one run: what happened, when, kept where a crash of the writer cannot undo it.
 *
 * <p>{@link #add} never waits: a thread of the timeline writes, because run directories lie on
 * shared file systems that hang, and who notes a failure must not hang with them. Each moment is
 * one write of one line, so that killing the process loses nothing that was written and leaves at
 * most one broken line, which the next {@link #open} cuts off. What could not be kept is counted.
 */
public final class Timeline implements AutoCloseable {
  private static final int QUEUE = 8_192;
  private static final int RECENT = 20_000;
  private static final Duration CLOSING = Duration.ofSeconds(5);

  private final ArrayBlockingQueue<Moment> queue = new ArrayBlockingQueue<>(QUEUE);
  private final ArrayDeque<Moment> recent = new ArrayDeque<>();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong noted = new AtomicLong();
  private final AtomicLong kept = new AtomicLong();
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final Thread writer;
  private final int cutLines;
  private volatile boolean closing;
  private volatile String trouble = "";

  private Timeline(
      FileChannel channel,
      List<Moment> earlier,
      int cutLines,
      InstantSource clock,
      LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
    this.cutLines = cutLines;
    earlier.forEach(this::remember);
    writer = Thread.ofPlatform().name("timeline").daemon().start(() -> write(channel));
  }

  /** Opens the log, made if it is not there; a broken end, left by a crash, is cut off. */
  public static Timeline open(Path file) throws IOException {
    return open(file, InstantSource.system(), System::nanoTime);
  }

  static Timeline open(Path file, InstantSource clock, LongSupplier nanos) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    FileChannel channel = OwnFile.append(file);
    boolean plain = Files.isRegularFile(file);
    TimelineFile earlier =
        plain ? TimelineFile.read(file) : new TimelineFile(List.of(), 0, 0, false);
    if (plain && !earlier.cut()) {
      channel.truncate(earlier.goodBytes());
    }
    return new Timeline(channel, earlier.moments(), earlier.garbled(), clock, nanos);
  }

  /** Notes what happens now. */
  public Moment add(String kind, @Nullable Object... namesAndValues) {
    return add(kind, Json.map(namesAndValues));
  }

  public Moment add(String kind, Map<String, @Nullable Object> details) {
    return add(new Moment(clock.instant(), nanos.getAsLong(), kind, details));
  }

  /** Notes what happened on another node or earlier. */
  public Moment add(Moment moment) {
    remember(moment);
    if (closing || !queue.offer(moment)) {
      lost.incrementAndGet();
    } else {
      noted.incrementAndGet();
    }
    return moment;
  }

  /** All moments, those of earlier writers too; the oldest step samples go when there are many. */
  public List<Moment> moments() {
    synchronized (recent) {
      return new ArrayList<>(recent);
    }
  }

  /** Waits until all that was noted is in the file, or could not be written, or for so long. */
  public void settle(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (noted.get() > kept.get() && System.nanoTime() < end) {
      Thread.sleep(5);
    }
  }

  /** Moments that are not in the file. */
  public long lost() {
    return lost.get();
  }

  /** Broken lines that were found, and the broken end cut off, when the log was opened. */
  public int cutLines() {
    return cutLines;
  }

  /** Why moments were lost, empty: none were. */
  public String trouble() {
    return trouble;
  }

  /** Writes what is left, for five seconds at most. */
  @Override
  public void close() {
    closing = true;
    try {
      if (!writer.join(CLOSING)) {
        trouble = "the file system did not answer within " + CLOSING.toSeconds() + " s";
        lost.addAndGet(queue.size());
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private void remember(Moment moment) {
    synchronized (recent) {
      recent.addLast(moment);
      if (recent.size() > RECENT) {
        thinOut();
      }
    }
  }

  /** What is many and says little goes first; what tells the story of the run stays longest. */
  private void thinOut() {
    boolean[] drop = {false};
    recent.removeIf(moment -> moment.kind().equals(Kinds.STEP) && (drop[0] = !drop[0]));
    for (String kind : List.of(Kinds.RANK_STARTED, Kinds.PHASE_BEGUN, Kinds.RANK_EXITED)) {
      if (recent.size() > RECENT / 2) {
        recent.removeIf(moment -> moment.kind().equals(kind) && !failed(moment));
      }
    }
    while (recent.size() > RECENT) {
      recent.removeFirst();
    }
  }

  private static boolean failed(Moment moment) {
    return moment.kind().equals(Kinds.RANK_EXITED)
        && !moment.flag("stoppedByUs")
        && (moment.number("exitCode", 0) != 0 || moment.number("signal", 0) > 0);
  }

  private void write(FileChannel channel) {
    try (channel) {
      while (!closing || !queue.isEmpty()) {
        Moment moment = queue.poll(100, TimeUnit.MILLISECONDS);
        if (moment != null) {
          append(channel, TimelineFile.line(moment));
          kept.incrementAndGet();
        }
      }
    } catch (IOException unclosed) {
      trouble = String.valueOf(unclosed.getMessage());
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private void append(FileChannel channel, byte[] line) {
    if (line.length > TimelineFile.MAX_LINE) {
      lost.incrementAndGet();
      trouble = "a moment of " + line.length + " bytes was too long to keep";
      return;
    }
    try {
      long start = channel.size();
      ByteBuffer buffer = ByteBuffer.wrap(line);
      try {
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      } catch (IOException full) {
        channel.truncate(start);
        throw full;
      }
    } catch (IOException problem) {
      lost.incrementAndGet();
      trouble = String.valueOf(problem.getMessage());
    }
  }
}
