package dev.holdfast.sim;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.report.Statement;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * A cluster that lives through faults at visible speed: nodes and jobs speak to the control plane
 * as real ones would, and what breaks is mended a while later. The same seed gives the same day.
 */
public final class Demo implements AutoCloseable {
  private static final int JOBS = 6;
  private static final Duration CHECKPOINTS = Duration.ofSeconds(20);
  private static final int BEGIN_AT_ONCE = 64;
  private static final long PAUSE_MILLIS = 4_000;
  private static final int MEND_AFTER_ROUNDS = 3;

  private final Shape shape;
  private final Line line;
  private final Clock clock;
  private final Random random;
  private final Map<String, SimNode> nodes = new TreeMap<>();
  private final List<SimJob> jobs = new ArrayList<>();
  private final Set<String> taken = new HashSet<>();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("sim-", 0).factory());
  private volatile boolean closing;

  public Demo(Shape shape, Line line, Clock clock, long seed) {
    this.shape = shape;
    this.line = line;
    this.clock = clock;
    this.random = new Random(seed);
  }

  /** Brings all nodes and jobs up, then lets the day begin; returns when all have reported. */
  public void start() throws InterruptedException {
    long epoch = clock.millis();
    Semaphore slots = new Semaphore(BEGIN_AT_ONCE);
    for (int i = 0; i < shape.nodes(); i++) {
      String name = shape.node(i);
      SimNode node = new SimNode(name, new Source("node/" + name, epoch, clock, line), line);
      nodes.put(name, node);
      node.source().say(new Statement.Described(shape.describe(i)));
    }
    List<java.util.concurrent.Future<?>> first = new ArrayList<>();
    for (SimNode node : nodes.values()) {
      slots.acquire();
      first.add(
          threads.submit(
              () -> {
                try {
                  node.source().send();
                } finally {
                  slots.release();
                }
                return null;
              }));
    }
    for (var done : first) {
      try {
        done.get();
      } catch (java.util.concurrent.ExecutionException refused) {
        throw new IllegalStateException(
            "the control plane does not answer: " + refused.getCause(), refused);
      }
    }
    nodes.values().forEach(node -> threads.submit(() -> forever(node::round)));
    startJobs(epoch);
    threads.submit(() -> forever(this::somethingHappens));
  }

  private void startJobs(long epoch) {
    int each = Math.max(1, shape.nodes() * 9 / 10 / JOBS);
    int next = 0;
    for (int i = 0; i < JOBS && next + each <= shape.nodes(); i++) {
      List<String> members = new ArrayList<>();
      for (int k = 0; k < each; k++) {
        members.add(shape.node(next++));
      }
      taken.addAll(members);
      String name = "demo-" + (i + 1);
      SimJob job =
          new SimJob(
              name,
              members,
              shape.devices(),
              new Source("run/" + name, epoch, clock, line),
              line,
              clock,
              CHECKPOINTS,
              surroundings());
      jobs.add(job);
      threads.submit(() -> forever(job::round));
    }
  }

  private SimJob.Surroundings surroundings() {
    return new SimJob.Surroundings() {
      @Override
      public Optional<String> spare() {
        return Demo.this.spare();
      }

      @Override
      public String broken(String node) {
        return Optional.ofNullable(nodes.get(node)).map(SimNode::worst).orElse("");
      }
    };
  }

  private synchronized Optional<String> spare() {
    Optional<String> free =
        nodes.entrySet().stream()
            .filter(it -> !it.getValue().broken())
            .map(Map.Entry::getKey)
            .filter(it -> jobs.stream().noneMatch(job -> job.uses(it)))
            .findFirst();
    free.ifPresent(taken::add);
    return free;
  }

  private interface Round {
    void go() throws IOException, InterruptedException;
  }

  private void forever(Round round) {
    while (!closing) {
      try {
        round.go();
      } catch (IOException away) {
        pause(1_000);
      } catch (InterruptedException ending) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  /** The next thing that breaks, and its repair some rounds later. */
  private void somethingHappens() throws IOException, InterruptedException {
    pause(PAUSE_MILLIS);
    int kind = random.nextInt(10);
    if (kind == 0) {
      leafFails();
    } else {
      String name = shape.node(random.nextInt(shape.nodes()));
      int part = random.nextInt(shape.devices());
      Finding finding =
          kind < 5
              ? Faults.lostGpu(name, part)
              : kind < 8 ? Faults.eccRate(name, part) : Faults.linkDown(name, part);
      breakFor(List.of(name), _ -> finding);
    }
  }

  private void leafFails() throws IOException, InterruptedException {
    List<String> behind =
        shape.behind(random.nextInt(shape.leaves())).stream().map(shape::node).toList();
    breakFor(behind, name -> Faults.linkDown(name, 0));
  }

  private void breakFor(List<String> names, java.util.function.Function<String, Finding> what)
      throws IOException, InterruptedException {
    for (String name : names) {
      SimNode node = nodes.get(name);
      if (node != null) {
        node.breaks(what.apply(name));
        node.source().send();
      }
    }
    threads.submit(
        () -> {
          pause(PAUSE_MILLIS * MEND_AFTER_ROUNDS);
          for (String name : names) {
            SimNode node = nodes.get(name);
            if (node != null) {
              node.mends(what.apply(name));
              node.source().send();
            }
          }
          return null;
        });
  }

  @Override
  public void close() {
    closing = true;
    threads.shutdownNow();
    line.close();
  }
}
