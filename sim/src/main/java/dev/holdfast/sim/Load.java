package dev.holdfast.sim;

import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.statistics.LogHistogram;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Many agents at once, for measuring. Each connection has a share of the agents and lets them speak
 * in turn; a receipt says that what was told is durable and decided.
 */
public final class Load implements AutoCloseable {
  private static final int DEGRADED_EVERY = 32;

  private final Shape shape;
  private final int connections;
  private final List<Source> agents = new ArrayList<>();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("load-", 0).factory());
  private long counter;

  /** What was told, how long it took, and how long each receipt took in seconds. */
  public record Result(long findings, double seconds, LogHistogram receipts, long refused) {
    public double rate() {
      return findings / seconds;
    }
  }

  public Load(Shape shape, int connections, Line line, Clock clock) {
    this.shape = shape;
    this.connections = connections;
    long epoch = clock.millis();
    for (int i = 0; i < shape.nodes(); i++) {
      Source agent = new Source("node/" + shape.node(i), epoch, clock, line);
      agent.say(new Statement.Described(shape.describe(i)));
      agents.add(agent);
    }
  }

  /** Lets every agent say what it is. */
  public Result introduce() throws InterruptedException, IOException {
    return all(_ -> List.of());
  }

  /** All agents speak in turn for that long, so many findings at once. */
  public Result sustain(int batch, Duration time) throws InterruptedException, IOException {
    long end = System.nanoTime() + time.toNanos();
    return go(
        lane -> {
          Tally tally = new Tally();
          for (int turn = lane; System.nanoTime() < end; turn += connections) {
            int agent = turn % agents.size();
            for (int i = 0; i < batch; i++) {
              agents.get(agent).say(something(agent));
            }
            tally.send(agents.get(agent), batch);
          }
          return tally;
        });
  }

  /** The first so many agents lose a GPU, all at the same moment. */
  public Result burst(int nodes) throws InterruptedException, IOException {
    for (int i = 0; i < nodes; i++) {
      agents.get(i).say(new Statement.Raised(Faults.lostGpu(shape.node(i), 0), 1));
    }
    return go(
        lane -> {
          Tally tally = new Tally();
          for (int i = lane; i < nodes; i += connections) {
            tally.send(agents.get(i), 1);
          }
          return tally;
        });
  }

  /** One after the other, nobody else speaking: what a single fatal finding takes. */
  public Result alone(int from, int nodes) throws InterruptedException, IOException {
    Tally tally = new Tally();
    long start = System.nanoTime();
    for (int i = from; i < from + nodes; i++) {
      agents.get(i).say(new Statement.Raised(Faults.lostGpu(shape.node(i), 1), 1));
      tally.send(agents.get(i), 1);
    }
    return tally.result(start);
  }

  private Result all(Function<Integer, List<Statement>> what)
      throws InterruptedException, IOException {
    return go(
        lane -> {
          Tally tally = new Tally();
          for (int i = lane; i < agents.size(); i += connections) {
            what.apply(i).forEach(agents.get(i)::say);
            tally.send(agents.get(i), 1);
          }
          return tally;
        });
  }

  private interface Lane {
    Tally run(int lane) throws InterruptedException;
  }

  private Result go(Lane lane) throws InterruptedException, IOException {
    long start = System.nanoTime();
    List<Future<Tally>> lanes = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      int number = i;
      lanes.add(threads.submit(() -> lane.run(number)));
    }
    Tally sum = new Tally();
    for (Future<Tally> each : lanes) {
      try {
        sum.add(each.get());
      } catch (ExecutionException problem) {
        throw new IOException(problem.getCause());
      }
    }
    return sum.result(start);
  }

  private static final class Tally {
    private final LogHistogram receipts = new LogHistogram();
    private long findings;
    private long refused;

    void send(Source source, int count) throws InterruptedException {
      long start = System.nanoTime();
      try {
        source.send();
        receipts.add((System.nanoTime() - start) / 1e9);
        findings += count;
      } catch (IOException busy) {
        refused++;
      }
    }

    void add(Tally other) {
      receipts.add(other.receipts);
      findings += other.findings;
      refused += other.refused;
    }

    Result result(long start) {
      return new Result(findings, (System.nanoTime() - start) / 1e9, receipts, refused);
    }
  }

  /** Mostly events that need nothing done; now and then a condition that opens an incident. */
  private synchronized Statement something(int agent) {
    counter++;
    String node = shape.node(agent);
    int gpu = (int) (counter % shape.devices());
    if (counter % DEGRADED_EVERY == 0) {
      return new Statement.Raised(Faults.eccRate(node, gpu), 1);
    }
    if (counter % DEGRADED_EVERY == DEGRADED_EVERY / 2) {
      return new Statement.Cleared("gpu.ecc.corrected", new Subject.Node(node).gpu(gpu), "calm");
    }
    return new Statement.Raised(
        new Finding(
            "gpu.xid",
            new Subject.Node(node).gpu(gpu),
            Finding.Kind.EVENT,
            Severity.WARNING,
            FaultClass.SOFTWARE,
            Proof.RECORDED,
            "Xid 31 on GPU " + gpu + " (" + counter + ")",
            Optional.empty(),
            List.of(new Evidence("kernel log", "NVRM: Xid (PCI:0000:1b:00): 31, pid=" + counter)),
            "A program read or wrote where it may not.",
            "Look at the job's own error first."),
        1);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
