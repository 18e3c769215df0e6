package dev.holdfast.bench.net;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.OwnProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of one round: processes of their own on this machine, what they are told to do and what
 * they answer. A rank that dies, stops or is cut off ends the round within the time agreed upon,
 * and all others learn who it was.
 */
final class RankFleet implements AutoCloseable {
  private static final long START_NANOS = 60_000_000_000L;
  private static final long START_NANOS_A_RANK = 2_000_000_000L;
  private static final long PING_NANOS = 500_000_000;
  private static final long GRACE_NANOS = 1_000_000_000;
  private static final int KEPT_LINES = 8;

  private final NetPlan plan;
  private final List<Process> processes = new ArrayList<>();
  private final List<Deque<String>> said = new ArrayList<>();
  private final List<CompletableFuture<Void>> readers = new ArrayList<>();
  private final LinkedBlockingQueue<RankEvent> events = new LinkedBlockingQueue<>();
  private final RankDoor door;
  private final Blame blame;
  private final List<Integer> cores;
  private long pinged;
  private String about = "";

  /** Starts them and waits until all are connected with each other. */
  static RankFleet start(NetPlan plan) throws IOException {
    RankFleet fleet = new RankFleet(plan);
    try (RankPlaces places = RankPlaces.of(plan.transport(), plan.ranks())) {
      fleet.begin(places);
      return fleet;
    } catch (IOException | RuntimeException | Error problem) {
      fleet.close();
      throw problem;
    }
  }

  private RankFleet(NetPlan plan) throws IOException {
    this.plan = plan;
    this.cores = FreeCores.of(plan);
    this.door = new RankDoor(plan.ranks(), plan.words(), events);
    this.blame = new Blame(plan.ranks(), (long) (plan.silenceSeconds() * 1e9), this::pid);
  }

  /** The cores ranks have to themselves; none when they have to share. */
  List<Integer> cores() {
    return cores;
  }

  /** What performs the operations, where that is not ourselves. */
  String about() {
    return about;
  }

  private void begin(RankPlaces places) throws IOException {
    for (int rank = 0; rank < plan.ranks(); rank++) {
      start(
          new RankSettings(
              door.port(),
              door.token(),
              rank,
              plan.ranks(),
              plan.words(),
              plan.transport(),
              plan.streams(),
              cores.isEmpty() ? -1 : cores.get(rank),
              places.path().toString(),
              places.room(),
              plan.largest(),
              plan.needsOther(),
              plan.silenceSeconds()));
    }
    long patience = START_NANOS + START_NANOS_A_RANK * plan.ranks();
    List<Fields> hellos = all("hello", patience);
    List<Integer> ports = hellos.stream().map(it -> it.integer("port")).toList();
    order("peers", ports, "id", hellos.getFirst().text("id", ""));
    about = all("ready", patience).getFirst().text("about", "");
  }

  private void start(RankSettings settings) throws IOException {
    // A heap of this size is never filled: buffers are outside of it.
    List<String> command =
        OwnProgram.command(
            List.of("-Xms16m", "-Xmx64m", "-XX:-MaxFDLimit"),
            RankProcess.class.getName(),
            List.of());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    int rank = processes.size();
    processes.add(process);
    Deque<String> lines = new ArrayDeque<>();
    said.add(lines);
    CompletableFuture<Void> read = new CompletableFuture<>();
    readers.add(read);
    Thread.ofVirtual().start(() -> listen(process, lines, read));
    process.onExit().thenAccept(ended -> events.add(new RankEvent.Ended(rank, ended.exitValue())));
    process.getOutputStream().write((settings.line() + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  private static void listen(Process process, Deque<String> lines, CompletableFuture<Void> read) {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        synchronized (lines) {
          lines.addLast(line);
          if (lines.size() > KEPT_LINES) {
            lines.removeFirst();
          }
        }
      }
    } catch (IOException ended) {
      // There is no more to read.
    }
    read.complete(null);
  }

  private long pid(int rank) {
    return processes.get(rank).pid();
  }

  List<Long> pids() {
    return processes.stream().map(Process::pid).toList();
  }

  /** The last lines a rank wrote. */
  List<String> said(int rank) {
    synchronized (said.get(rank)) {
      return List.copyOf(said.get(rank));
    }
  }

  /** Has all ranks do an operation once and counts wrong elements. */
  long check(Operation operation) throws IOException {
    order("operation", operation.tree(), "check", true);
    return all("done", Long.MAX_VALUE).stream().mapToLong(it -> it.number("wrong")).sum();
  }

  /** Has all ranks do an operation so often; the nanoseconds of each, rank by rank. */
  List<long[]> time(Operation operation, int iterations) throws IOException {
    order("operation", operation.tree(), "check", false, "iterations", iterations);
    return all("done", Long.MAX_VALUE).stream()
        .map(it -> it.numbers("nanos").stream().mapToLong(Long::longValue).toArray())
        .toList();
  }

  /** The median and the sum of so many calls, of the slowest rank, in seconds. */
  record Warm(double median, double total) {}

  /** Has all ranks do an operation so often, for the sake of it. */
  Warm warm(Operation operation, int iterations) throws IOException {
    order("operation", operation.tree(), "check", false, "iterations", iterations, "brief", true);
    List<Fields> answers = all("done", Long.MAX_VALUE);
    return new Warm(
        answers.stream().mapToLong(it -> it.number("median")).max().orElse(0) / 1e9,
        answers.stream().mapToLong(it -> it.number("total")).max().orElse(0) / 1e9);
  }

  private void order(@Nullable Object... namesAndValues) {
    for (int rank = 0; rank < plan.ranks(); rank++) {
      tell(rank, namesAndValues);
    }
  }

  private void tell(int rank, @Nullable Object... namesAndValues) {
    Wire wire = door.wires().get(rank);
    if (wire != null) {
      try {
        wire.say(namesAndValues);
      } catch (IOException gone) {
        // Its end is heard of in another way.
      }
    }
  }

  /** Waits for this answer of every rank. */
  private List<Fields> all(String answer, long withinNanos) throws IOException {
    Map<Integer, Fields> answers = new HashMap<>();
    long start = System.nanoTime();
    blame.begin(start);
    while (answers.size() < plan.ranks()) {
      RankEvent event = next(PING_NANOS / 2);
      long now = System.nanoTime();
      if (event instanceof RankEvent.Said(int rank, Fields message) && message.has(answer)) {
        answers.put(rank, message);
      }
      if (event != null) {
        blame.heard(event, now);
      }
      ping(now);
      RankFailure verdict = blame.verdict(now, this::said);
      if (verdict != null) {
        throw stopAll(verdict);
      }
      if (now - start > withinNanos) {
        throw stopAll(missing(answers));
      }
    }
    return answers.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue)
        .toList();
  }

  private RankFailure missing(Map<Integer, Fields> answers) {
    for (int rank = 0; rank < plan.ranks(); rank++) {
      if (!answers.containsKey(rank)) {
        return new RankFailure(rank, "rank " + rank + " did not start in time: " + said(rank));
      }
    }
    return new RankFailure(-1, "the ranks did not start in time");
  }

  private @Nullable RankEvent next(long nanos) throws IOException {
    try {
      return events.poll(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  private void ping(long now) {
    if (now - pinged > PING_NANOS) {
      pinged = now;
      order("ping", now);
    }
  }

  /** Tells every rank whose fault it is, so that each ends and says so. */
  private RankFailure stopAll(RankFailure verdict) {
    order("stop", Json.line(String.valueOf(verdict.getMessage())).replace("\"", ""));
    long end = System.nanoTime() + 10 * GRACE_NANOS;
    for (int rank = 0; rank < processes.size(); rank++) {
      if (rank != verdict.rank()) {
        await(processes.get(rank), end);
        try {
          readers.get(rank).get(1, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException
            | java.util.concurrent.TimeoutException late) {
          // What it said so far is what there is.
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
    return verdict;
  }

  private static void await(Process process, long end) {
    try {
      process.waitFor(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    order("end", true);
    long end = System.nanoTime() + 2 * GRACE_NANOS;
    processes.forEach(process -> await(process, end));
    processes.forEach(Process::destroyForcibly);
    long killed = System.nanoTime() + 5 * GRACE_NANOS;
    processes.forEach(process -> await(process, killed));
    door.close();
  }

  /**
   * Each iteration of the rank that took longest in all, in seconds: an operation is over when the
   * last one is done, and those who only send are done early.
   */
  static double[] seconds(List<long[]> nanos, int messages) {
    long[] slowest = nanos.getFirst();
    for (long[] ofRank : nanos) {
      slowest = Arrays.stream(ofRank).sum() > Arrays.stream(slowest).sum() ? ofRank : slowest;
    }
    return Arrays.stream(slowest).mapToDouble(it -> it / 1e9 / messages).toArray();
  }
}
