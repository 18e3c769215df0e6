package dev.holdfast.control.engine;

import dev.holdfast.control.decide.Input;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.os.process.Heartbeats;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Keeps the journal and the memory from growing for ever. A checkpoint is written after so many
 * batches, and once a day; batches older than what is kept go once a checkpoint stands for them;
 * what was over before that time is forgotten.
 */
public final class Retention implements AutoCloseable {
  /** What a start reads at most beside a checkpoint. */
  static final long BATCHES = 20_000;

  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration PACE = Duration.ofMinutes(1);
  private static final Duration FORGET_EVERY = Duration.ofHours(1);
  private static final long SNAPSHOT_SECONDS = 30;

  /** The longest a checkpoint may take on a slow disk. */
  private static final Duration STUCK = Duration.ofMinutes(15);

  private static final long END_MILLIS = 2_000;

  private final Engine engine;
  private final Journal journal;
  private final Duration keep;
  private final Clock clock;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);
  private Heartbeats.Beat heartbeat = Heartbeats.UNSEEN;
  private long written;
  private Instant writtenAt;
  private Instant forgotten = Instant.EPOCH;

  public Retention(Engine engine, Journal journal, Duration keep, Clock clock) throws SQLException {
    this.engine = engine;
    this.journal = journal;
    this.keep = keep;
    this.clock = clock;
    this.written = journal.checkpointed();
    this.writtenAt = clock.instant();
    this.thread = Thread.ofPlatform().name("retention").daemon().unstarted(this::work);
  }

  public void start(Heartbeats heartbeats) {
    heartbeat = heartbeats.expect("retention", STUCK).of(thread);
    thread.start();
  }

  private void work() {
    try {
      do {
        heartbeat.beat();
        step();
      } while (!closing.await(PACE.toSeconds(), TimeUnit.SECONDS));
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private void step() throws InterruptedException {
    try {
      Instant now = clock.instant();
      if (!now.isBefore(forgotten.plus(FORGET_EVERY))) {
        var _ = engine.submit(new Input.Forget(now.minus(keep)));
        forgotten = now;
      }
      long behind = journal.position() - written;
      if (behind >= BATCHES || behind > 0 && !now.isBefore(writtenAt.plus(DAY))) {
        run();
      }
      engine.meters().trimmed(Optional.empty());
    } catch (SQLException | ExecutionException | TimeoutException failed) {
      // The journal grows until this is mended; nothing else happens.
      engine
          .meters()
          .trimmed(Optional.of("the journal could not be trimmed: " + failed.getMessage()));
    }
  }

  /** Writes a checkpoint now and lets go of what need not be kept; tells how many batches went. */
  public synchronized long run()
      throws SQLException, InterruptedException, ExecutionException, TimeoutException {
    Engine.Snapshot snapshot = engine.snapshot().get(SNAPSHOT_SECONDS, TimeUnit.SECONDS);
    if (snapshot.position() > 0) {
      journal.checkpoint(snapshot.position(), snapshot.at(), snapshot.entries());
    }
    written = snapshot.position();
    writtenAt = clock.instant();
    return journal.trim(writtenAt.minus(keep));
  }

  @Override
  public void close() throws InterruptedException {
    // Never by an interrupt: it would close the journal's files.
    closing.countDown();
    thread.join(END_MILLIS);
  }
}
