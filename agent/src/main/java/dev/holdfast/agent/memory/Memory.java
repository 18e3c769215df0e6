package dev.holdfast.agent.memory;

import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * What the agent knows and what it still has to tell, over its own restarts.
 *
 * <p>Both are one log, because they change together: that a line of the kernel log was seen, and
 * that its event waits to be sent, become true at the same moment or not at all. So nothing is told
 * twice and nothing is thought to be told that was not.
 *
 * <p>Each start is a new epoch. Reports get their numbers here, without gaps, and wait here until
 * the control plane says that it has them. When too many wait, a change that tells something is
 * refused as a whole: a condition is then simply told when there is room again, and of events that
 * were lost one report says how many there were.
 *
 * <p>When the disk does not take what is written, the agent goes on from memory: a node with a full
 * disk has all the more to tell.
 */
public final class Memory implements AutoCloseable {
  private static final long SLACK = 1 << 20;
  private static final String LOST = "lost";
  private static final int MOST_BATCH_BYTES = 1 << 20;

  /** Kept free for the one report that says what was lost. */
  private static final int RESERVE = 1024;

  private record Waiting(long epoch, long sequence, String line) {}

  private final String source;
  private final long bound;
  private final MemoryFile file;
  private final Map<String, @Nullable Object> facts = new LinkedHashMap<>();
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private long epoch;
  private long sequence;
  private long lost;
  private Instant lostFrom = Instant.EPOCH;
  private Instant lostUntil = Instant.EPOCH;
  private String trouble = "";
  private final Semaphore dirty = new Semaphore(0);
  private volatile boolean closed;

  private Memory(String source, Path folder, long bound) throws IOException {
    this.source = source;
    this.bound = bound;
    this.file = MemoryFile.open(folder, this::replay);
  }

  /**
   * Opens the memory in a folder, made if it is not there, and begins a new epoch.
   *
   * @param bound how many bytes of reports may wait
   */
  public static Memory open(String source, Path folder, long bound) throws IOException {
    Memory memory = new Memory(source, folder, bound);
    memory.epoch++;
    memory.sequence = 0;
    memory.recallLosses();
    memory.compact();
    Thread.ofPlatform().name("memory").daemon().start(memory::sync);
    return memory;
  }

  private void replay(Map<String, @Nullable Object> frame) {
    if (frame.get("epoch") instanceof Long number) {
      epoch = Math.max(epoch, number);
    }
    if (frame.get("set") instanceof Map<?, ?> set) {
      set.forEach((key, value) -> put(String.valueOf(key), value));
    }
    if (frame.get("say") instanceof List<?> lines) {
      lines.forEach(line -> await(String.valueOf(line)));
    }
    if (frame.get("has") instanceof List<?> cursor
        && cursor.size() == 2
        && cursor.get(0) instanceof Long at
        && cursor.get(1) instanceof Long number) {
      forget(at, number);
    }
  }

  private void await(String line) {
    Report report = Report.of(line);
    epoch = Math.max(epoch, report.epoch());
    waiting.add(new Waiting(report.epoch(), report.sequence(), line));
    waitingBytes += line.length();
  }

  private void put(String key, @Nullable Object value) {
    if (value == null) {
      facts.remove(key);
    } else {
      facts.put(key, value);
    }
  }

  private void forget(long upToEpoch, long upToSequence) {
    while (!waiting.isEmpty()) {
      Waiting first = waiting.getFirst();
      boolean has =
          first.epoch < upToEpoch || first.epoch == upToEpoch && first.sequence <= upToSequence;
      if (!has) {
        return;
      }
      waitingBytes -= first.line.length();
      waiting.removeFirst();
    }
  }

  /** As {@link #commit}, and it stays so when the machine loses power: before something is done. */
  public boolean commitForGood(Change change) throws IOException {
    boolean kept = commit(change);
    if (!trouble().isEmpty()) {
      throw new IOException(trouble());
    }
    file.sync();
    return kept;
  }

  /**
   * Remembers and tells. It outlives the agent at once, and a loss of power a moment later: an
   * event does not wait for the disk, and what such a loss could repeat ended with that boot.
   *
   * @return false when too much waits already; then nothing of it holds
   */
  public synchronized boolean commit(Change change) {
    List<String> lines = new ArrayList<>();
    long next = sequence;
    if (lost > 0 && !change.said.isEmpty()) {
      next++;
      Statement.Lost words = new Statement.Lost(lost, lostFrom, lostUntil);
      lines.add(new Report(source, epoch, next, lostUntil, words).line());
    }
    for (Change.Said said : change.said) {
      next++;
      lines.add(new Report(source, epoch, next, said.at(), said.statement()).line());
    }
    long bytes = lines.stream().mapToLong(String::length).sum();
    if (!lines.isEmpty() && waitingBytes + bytes + RESERVE > bound) {
      return false;
    }
    if (lost > 0 && !lines.isEmpty()) {
      change.set(LOST, null);
    }
    Map<String, @Nullable Object> frame = new LinkedHashMap<>();
    if (!change.facts.isEmpty()) {
      frame.put("set", change.facts);
    }
    if (!lines.isEmpty()) {
      frame.put("say", lines);
      lost = 0;
    }
    sequence = next;
    change.facts.forEach(this::put);
    lines.forEach(this::await);
    write(frame);
    dirty.release();
    notifyAll();
    return true;
  }

  /** Counts events that no room was left for. */
  public synchronized void lose(long count, Instant at) {
    lostFrom = lost == 0 ? at : lostFrom;
    lostUntil = at;
    lost += count;
    // Not each time: a storm must not become a storm on the disk.
    if (Long.bitCount(lost) == 1) {
      note(LOST, new Statement.Lost(lost, lostFrom, lostUntil).json());
    }
  }

  private void recallLosses() {
    if (facts.get(LOST) instanceof Map<?, ?> tree) {
      Fields fields = Fields.of("losses", tree);
      lost = fields.number("count");
      lostFrom = Times.read(fields.text("from"));
      lostUntil = Times.read(fields.text("until"));
    }
  }

  /** Remembers something that may be forgotten when power is lost. */
  public synchronized void note(String key, @Nullable Object tree) {
    put(key, tree);
    Map<String, @Nullable Object> set = new LinkedHashMap<>();
    set.put(key, tree);
    write(Json.map("set", set));
  }

  public synchronized Optional<Object> fact(String key) {
    return Optional.ofNullable(facts.get(key));
  }

  /** Everything remembered under keys that begin so. */
  public synchronized Map<String, Object> facts(String prefix) {
    Map<String, Object> found = new LinkedHashMap<>();
    facts.forEach(
        (key, value) -> {
          if (value != null && key.startsWith(prefix)) {
            found.put(key, value);
          }
        });
    return found;
  }

  /** The next reports to send; waits until there are some or the time is over. */
  public synchronized List<String> next(int most, Duration wait) throws InterruptedException {
    long end = System.nanoTime() + wait.toNanos();
    while (waiting.isEmpty()) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return List.of();
      }
      wait(left);
    }
    List<String> batch = new ArrayList<>();
    int bytes = 0;
    for (Waiting report : waiting) {
      bytes += report.line.length();
      if (batch.size() == most || bytes > MOST_BATCH_BYTES && !batch.isEmpty()) {
        break;
      }
      batch.add(report.line);
    }
    return batch;
  }

  /**
   * The control plane has everything up to here.
   *
   * @return false when it cannot go on from there with what waits: it knows less or more of us than
   *     we do, and {@link #restate} is due
   */
  public synchronized boolean received(Receipt receipt) {
    int before = waiting.size();
    boolean ahead =
        receipt.epoch() > epoch || receipt.epoch() == epoch && receipt.sequence() > sequence;
    if (!ahead) {
      forget(receipt.epoch(), receipt.sequence());
    }
    if (waiting.size() != before) {
      List<Object> cursor = List.of(receipt.epoch(), receipt.sequence());
      write(Json.map("has", cursor));
    }
    Waiting first = waiting.peekFirst();
    long nextEpoch = first == null ? epoch : first.epoch;
    long nextSequence = first == null ? sequence + 1 : first.sequence;
    boolean follows =
        nextEpoch == receipt.epoch()
            ? nextSequence == receipt.sequence() + 1
            : nextEpoch > receipt.epoch() && nextSequence == 1;
    return !ahead && follows;
  }

  /**
   * Begins an epoch beyond what the control plane knows: first the given statements, which say how
   * things stand, then what still waits, with new numbers.
   */
  public synchronized void restate(long known, Instant at, List<Statement> standing) {
    List<Waiting> old = List.copyOf(waiting);
    epoch = Math.max(epoch, known) + 1;
    sequence = 0;
    waiting.clear();
    waitingBytes = 0;
    for (Statement statement : standing) {
      sequence++;
      await(new Report(source, epoch, sequence, at, statement).line());
    }
    for (Waiting report : old) {
      Report told = Report.of(report.line);
      sequence++;
      await(new Report(source, epoch, sequence, told.at(), told.statement()).line());
    }
    compact();
    notifyAll();
  }

  /** Gives up the oldest report, which the control plane refuses; the rest gets new numbers. */
  public synchronized void discardFirst(Instant at) {
    Waiting first = waiting.pollFirst();
    if (first != null) {
      waitingBytes -= first.line.length();
      lose(1, at);
      restate(epoch, at, List.of());
    }
  }

  private void sync() {
    while (!closed) {
      try {
        dirty.acquire();
        dirty.drainPermits();
        file.sync();
      } catch (IOException problem) {
        fail(problem);
      } catch (InterruptedException end) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private synchronized void fail(IOException problem) {
    trouble = closed ? "" : String.valueOf(problem.getMessage());
  }

  private void write(Map<String, @Nullable Object> frame) {
    try {
      file.append(frame);
      trouble = "";
      long live = waitingBytes + facts.size() * 1024L;
      if (file.length() > 4 * live + SLACK) {
        compact();
      }
    } catch (IOException problem) {
      trouble = String.valueOf(problem.getMessage());
    }
  }

  private void compact() {
    List<Map<String, @Nullable Object>> frames = new ArrayList<>();
    frames.add(Json.map("schema", "holdfast.agentmemory/1", "epoch", epoch));
    facts.forEach(
        (key, value) -> {
          Map<String, @Nullable Object> set = new LinkedHashMap<>();
          set.put(key, value);
          frames.add(Json.map("set", set));
        });
    waiting.forEach(report -> frames.add(Json.map("say", List.of(report.line))));
    try {
      file.replace(frames);
      trouble = "";
    } catch (IOException problem) {
      trouble = String.valueOf(problem.getMessage());
    }
  }

  public synchronized long epoch() {
    return epoch;
  }

  public synchronized int waitingReports() {
    return waiting.size();
  }

  public synchronized long waitingBytes() {
    return waitingBytes;
  }

  /** Why the disk did not take what was last written, empty when it did. */
  public synchronized String trouble() {
    return trouble;
  }

  /** What was lost and not yet said. */
  public synchronized String losses() {
    return lost == 0 ? "" : lost + " since " + Times.show(lostFrom);
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    file.sync();
    dirty.release();
    file.close();
  }
}
