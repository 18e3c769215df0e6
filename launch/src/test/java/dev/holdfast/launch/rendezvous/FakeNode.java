package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A node whose ranks are imagined: they stop when told to and fail when the test says so. */
final class FakeNode implements NodeDuties, StoreKeeper {
  static final Duration PATIENCE = Duration.ofSeconds(30);

  final String name;
  final BlockingQueue<String> happened = new LinkedBlockingQueue<>();
  final AtomicInteger leases = new AtomicInteger();
  final AtomicLong longest = new AtomicLong();
  volatile @Nullable Rendezvous rendezvous;
  volatile @Nullable Assignment assignment;
  volatile @Nullable Memory kept;
  volatile boolean stopsWhenTold = true;

  /** How long its rendezvous is held up each time it has something to keep. */
  volatile Duration held = Duration.ZERO;

  FakeNode(String name) {
    this.name = name;
  }

  Rendezvous join(Setup setup, Judge judge) {
    Rendezvous started = Rendezvous.start(setup, this, judge, this, null, this::keep);
    rendezvous = started;
    return started;
  }

  private void keep(Memory memory) {
    kept = memory;
    LockSupport.parkNanos(held.toNanos());
  }

  /** As this node's next process, after the one before went without a word. */
  Rendezvous resume(Setup setup, Judge judge) {
    Memory memory = Memory.of(java.util.Objects.requireNonNull(kept).text());
    Rendezvous again =
        Rendezvous.resume(setup, this, judge, this, null, next -> kept = next, memory);
    rendezvous = again;
    return again;
  }

  static Member member(String node, int port, int processes) {
    return new Member(node, 1, "127.0.0.1", port, processes, 0);
  }

  private Rendezvous rendezvous() {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Rendezvous mine = rendezvous;
    while (mine == null && System.nanoTime() < deadline) {
      Thread.onSpinWait();
      mine = rendezvous;
    }
    if (mine == null) {
      throw new AssertionError(name + " has not joined");
    }
    return mine;
  }

  void exit(int rank, int exitCode) {
    rendezvous().exited(new RankEvidence(rank, name, exitCode, 0, false, 0, List.of(), "", 0, -1));
  }

  /** Waits until something that starts so has happened, and says what. */
  String await(String start) throws InterruptedException {
    return await(start, PATIENCE);
  }

  String await(String start, Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      String next = happened.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      if (next == null) {
        throw new AssertionError(name + " waited in vain for: " + start + "; " + standing());
      }
      if (next.startsWith(start)) {
        return next;
      }
    }
  }

  private String standing() {
    Rendezvous mine = rendezvous;
    if (mine == null) {
      return "it has not joined";
    }
    View view = mine.view();
    return view.role()
        + " "
        + view.phase()
        + " "
        + view.members().stream()
            .collect(
                java.util.stream.Collectors.groupingBy(
                    View.Standing::state, java.util.stream.Collectors.counting()));
  }

  @Override
  public void start(Assignment next) {
    assignment = next;
    happened.add("start " + next.attempt());
  }

  @Override
  public void stop(int attempt, Duration grace, String why, boolean hang) {
    happened.add((hang ? "look, " : "") + "stop " + attempt + ": " + why);
    if (stopsWhenTold) {
      rendezvous().stopped(attempt);
    }
  }

  @Override
  public void collect() {
    happened.add("collect");
  }

  @Override
  public void lease(long untilNanos) {
    longest.accumulateAndGet(untilNanos - System.nanoTime(), Math::max);
    leases.incrementAndGet();
  }

  @Override
  public void finish(int exitCode, String why) {
    happened.add("finish " + exitCode + ": " + why);
  }

  @Override
  public void note(String kind, String text) {
    happened.add("note " + kind + ": " + text);
  }

  @Override
  public CompletableFuture<Place> open(int attempt, long term, List<String> allowed) {
    happened.add("open " + attempt + " for " + allowed);
    return CompletableFuture.completedFuture(new Place("127.0.0.1", 29500 + attempt));
  }

  @Override
  public CompletableFuture<Void> close(int attempt, long term) {
    happened.add("close " + attempt);
    return CompletableFuture.completedFuture(null);
  }
}
