package dev.holdfast.control.engine;

import dev.holdfast.control.decide.Decider;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.control.journal.Fenced;
import dev.holdfast.control.journal.History;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.meter.Meters;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.Cursor;
import dev.holdfast.core.report.Receipt;
import dev.holdfast.os.process.Exhaustion;
import dev.holdfast.os.process.Heartbeats;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Decides one input after the other on one thread and makes what follows durable in groups: while
 * the disk is busy inputs gather, and the next group takes all of them. A caller's future completes
 * when its entries are durable, never before.
 *
 * <p>When the journal fails, or another control plane leads, the state in memory is ahead of what
 * is durable. Nothing is answered or done any more then; the process must end and begin again from
 * the journal.
 */
public final class Engine implements AutoCloseable {
  private static final int QUEUE = 20_000;
  private static final int GROUP = 2_000;
  private static final long TICK_MILLIS = 1_000;

  /** A tick comes every second; after so long it waits for a disk or a lock. */
  private static final Duration STUCK = Duration.ofSeconds(30);

  private static final long END_MILLIS = 1_500;
  private static final long END_FAILED_MILLIS = 500;

  private final ClusterState state;
  private final Decider decider;
  private final Journal journal;
  private final Clock clock;
  private final Meters meters = new Meters();
  private final BlockingQueue<Waiting> queue = new ArrayBlockingQueue<>(QUEUE);
  private final List<Consumer<Batch>> listeners = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private final Queue<CompletableFuture<Snapshot>> wanted = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private Heartbeats.Beat heartbeat = Heartbeats.UNSEEN;
  private final ConcurrentMap<String, Cursor> durable = new ConcurrentHashMap<>();
  private volatile boolean closing;
  private Instant latest = Instant.EPOCH;

  private record Waiting(Input input, CompletableFuture<Decider.Outcome> done, long since) {}

  /** Reads the journal into the state. */
  public Engine(ClusterState state, Decider decider, Journal journal, Clock clock)
      throws SQLException {
    this(state, 0, decider, journal, clock);
  }

  /**
   * Reads the rest of the journal into a state.
   *
   * @param applied how much of the journal is in the state already
   */
  public Engine(ClusterState state, long applied, Decider decider, Journal journal, Clock clock)
      throws SQLException {
    this.state = state;
    this.decider = decider;
    this.journal = journal;
    this.clock = clock;
    journal.read(applied, state::apply);
    this.latest = state.time();
    this.durable.putAll(state.cursors());
    this.thread = Thread.ofPlatform().name("decider").unstarted(this::work);
  }

  public void start(Heartbeats heartbeats) {
    heartbeat = heartbeats.expect("deciding", STUCK).of(thread);
    thread.start();
  }

  /** Called with every durable batch, on the deciding thread: hand over, do not wait. */
  public void listen(Consumer<Batch> listener) {
    listeners.add(listener);
  }

  /** Completes with what went wrong when deciding has ended for good. */
  public CompletableFuture<Throwable> failure() {
    return failure;
  }

  /**
   * Hands in an input. The future completes when it is durable, with the reason if it was refused,
   * or with {@link Overloaded} at once when too much waits already.
   */
  public CompletableFuture<Optional<String>> submit(Input input) {
    return decided(input).thenApply(Decider.Outcome::refused);
  }

  /** Hands in reports, as {@link #submit}; the future completes with those that were refused. */
  public CompletableFuture<List<Receipt.Refused>> report(Input.Reported reports) {
    return decided(reports).thenApply(Decider.Outcome::left);
  }

  private CompletableFuture<Decider.Outcome> decided(Input input) {
    CompletableFuture<Decider.Outcome> done = new CompletableFuture<>();
    if (closing || failure.isDone()) {
      done.completeExceptionally(new Overloaded("the control plane is ending"));
    } else if (!queue.offer(new Waiting(input, done, System.nanoTime()))) {
      done.completeExceptionally(new Overloaded(QUEUE + " inputs wait to be decided"));
    }
    return done;
  }

  /** How many inputs wait. */
  public int waiting() {
    return queue.size();
  }

  private void work() {
    List<Waiting> group = new ArrayList<>();
    long nextTick = System.nanoTime();
    try {
      while (!failure.isDone() && (!closing || !queue.isEmpty())) {
        group.clear();
        long wait = Math.max(0, nextTick - System.nanoTime());
        Waiting first = queue.poll(wait, TimeUnit.NANOSECONDS);
        if (first != null) {
          group.add(first);
          queue.drainTo(group, GROUP - 1);
        }
        heartbeat.beat();
        boolean tick = System.nanoTime() >= nextTick;
        if (tick) {
          nextTick = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
          journal.renew();
        }
        decide(group, tick);
        answerSnapshots();
      }
    } catch (InterruptedException | SQLException | RuntimeException | Error problem) {
      Exhaustion.endIfExhausted(problem);
      failure.complete(problem);
      end(group, problem);
    }
  }

  private void decide(List<Waiting> group, boolean tick) throws SQLException {
    Instant now = now();
    List<Entry> entries = new ArrayList<>();
    List<Decider.Outcome> outcomes = new ArrayList<>();
    for (Waiting waiting : group) {
      heartbeat.beat();
      Decider.Outcome outcome = decider.decide(waiting.input(), now);
      entries.addAll(outcome.entries());
      outcomes.add(outcome);
      meters.failed(outcome.failures());
    }
    if (tick) {
      Decider.Outcome outcome = decider.decide(new Input.Tick(), now);
      entries.addAll(outcome.entries());
      meters.failed(outcome.failures());
    }
    if (!entries.isEmpty()) {
      Batch batch = new Batch(now, entries);
      long begun = System.nanoTime();
      journal.append(batch);
      meters.appended(entries.size(), System.nanoTime() - begun);
      note(batch);
      listeners.forEach(it -> it.accept(batch));
    }
    if (tick) {
      meters.ticked();
    }
    for (int i = 0; i < group.size(); i++) {
      meters.decided(System.nanoTime() - group.get(i).since());
      group.get(i).done().complete(outcomes.get(i));
    }
  }

  private void note(Batch batch) {
    for (Entry entry : batch.entries()) {
      if (entry instanceof SourceEntry.Heard heard) {
        durable.put(heard.source(), new Cursor(heard.epoch(), heard.sequence()));
      } else if (entry instanceof SourceEntry.Reset reset) {
        durable.remove(reset.source());
      }
    }
  }

  /**
   * Up to where the reports of a source are durable. The state may be further: what a source is
   * told is applied must not be taken back by a crash.
   */
  public Cursor durable(String source) {
    return durable.getOrDefault(source, Cursor.NOTHING);
  }

  /** Ends deciding when the lead may be another's by now; to be called every second or so. */
  public void requireLead() {
    if (journal.lapsed()) {
      failure.complete(
          new Fenced(
              "the database did not answer for %d s, so another control plane may lead"
                  .formatted(Journal.LEASE.toSeconds())));
    }
  }

  /** A clock that is set back must not make later entries older than earlier ones. */
  private Instant now() {
    Instant now = clock.instant().truncatedTo(java.time.temporal.ChronoUnit.MILLIS);
    latest = now.isBefore(latest) ? latest : now;
    return latest;
  }

  private void end(List<Waiting> group, Throwable problem) {
    group.forEach(it -> it.done().completeExceptionally(problem));
    List<Waiting> rest = new ArrayList<>();
    queue.drainTo(rest);
    rest.forEach(it -> it.done().completeExceptionally(problem));
  }

  /** The last position of the journal. Any thread may ask. */
  public long position() {
    return journal.position();
  }

  /** Batches of the journal behind a position, as they stand there. Any thread may ask. */
  public List<History.Row> history(long after, int rows) throws IOException {
    try (History history = journal.history()) {
      return history.after(after, rows);
    } catch (SQLException problem) {
      throw new IOException("the journal cannot be read: " + problem.getMessage(), problem);
    }
  }

  /** Up to where somebody outside was told; nothing: nobody was ever told. Any thread may ask. */
  public OptionalLong told(String whom) throws IOException {
    try {
      return journal.told(whom);
    } catch (SQLException problem) {
      throw new IOException("the journal cannot be read: " + problem.getMessage(), problem);
    }
  }

  /** Somebody outside was told up to there; whoever leads next goes on from it. */
  public void told(String whom, long upTo) throws IOException {
    try {
      journal.told(whom, upTo);
    } catch (SQLException problem) {
      throw new IOException("the journal cannot be written: " + problem.getMessage(), problem);
    }
  }

  /** What it counts of itself. */
  public Meters meters() {
    return meters;
  }

  /** The state the kept batches begin with; tells its position, 0: they begin at the beginning. */
  public long base(Consumer<Batch> reader) throws IOException {
    try (History history = journal.history()) {
      return history.base(reader);
    } catch (SQLException problem) {
      throw new IOException("the journal cannot be read: " + problem.getMessage(), problem);
    }
  }

  public ClusterState state() {
    return state;
  }

  public Decider decider() {
    return decider;
  }

  /** The state as of a position of the journal, to be written down. */
  public record Snapshot(long position, Instant at, List<Entry> entries) {}

  /** The state between two batches; any thread may ask, the one that decides answers. */
  public CompletableFuture<Snapshot> snapshot() {
    CompletableFuture<Snapshot> answer = new CompletableFuture<>();
    wanted.add(answer);
    return answer;
  }

  private void answerSnapshots() {
    for (var wish = wanted.poll(); wish != null; wish = wanted.poll()) {
      wish.complete(new Snapshot(journal.position(), state.time(), state.kept()));
    }
  }

  /** Decides what waits, as long as that does not take long, then ends. */
  @Override
  public void close() throws InterruptedException {
    closing = true;
    // Wakes the thread where nothing waits; an interrupt would close the journal's files.
    boolean _ =
        queue.offer(new Waiting(new Input.Tick(), new CompletableFuture<>(), System.nanoTime()));
    thread.join(failure.isDone() ? END_FAILED_MILLIS : END_MILLIS);
    end(List.of(), new Overloaded("the control plane is ending"));
  }
}
