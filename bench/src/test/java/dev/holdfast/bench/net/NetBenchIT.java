package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.os.libc.Signals;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranks as real processes: what they measure, and what happens when one of them fails. */
class NetBenchIT {
  private static final int STOP = 19;

  /** So many that a fault surely meets one of them. */
  private static final long[] MANY =
      LongStream.range(0, 1000).map(it -> (1 << 20) + it * 4096).toArray();

  private static NetPlan plan(
      Transport transport, int ranks, int iterations, double silence, long... sizes) {
    return warmed(2, transport, ranks, iterations, silence, sizes);
  }

  private static NetPlan warmed(
      int warmup, Transport transport, int ranks, int iterations, double silence, long... sizes) {
    List<Operation> operations = new ArrayList<>();
    for (long size : sizes) {
      operations.add(Operation.of(Collective.ALL_REDUCE, size, Element.FLOAT, 0, ranks));
    }
    return new NetPlan(operations, ranks, transport, 1, iterations, warmup, true, 1, true, silence);
  }

  @ParameterizedTest
  @EnumSource(
      value = Transport.class,
      names = {"TCP", "UNIX", "SHM"})
  void operationsAreMeasuredAndRight(Transport transport) throws Exception {
    NetBench.Outcome outcome =
        new NetBench(plan(transport, 3, 4, 60, 1024, 1 << 20), new NetBench.Watcher() {}).run();
    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.results()).hasSize(2).allMatch(it -> it.wrong() == 0 && it.busbw() > 0);
    assertThat(outcome.results().get(1).variant()).isEqualTo(transport.word() + " ring");
    NetResult small = outcome.results().getFirst();
    assertThat(small.variant()).isEqualTo(transport.word() + " doubling");
    assertThat(small.algbw())
        .as("time and bandwidth are of the same round")
        .isEqualTo(
            small.bytes() / small.latency().mean() / 1e9,
            org.assertj.core.data.Offset.offset(1e-9));
    assertThat(small.busbw())
        .isEqualTo(small.algbw() * 4 / 3, org.assertj.core.data.Offset.offset(1e-9));
  }

  @Test
  void ranksBoundToACoreTellOfTheWholeMachine() throws Exception {
    NetBench bench =
        new NetBench(plan(Transport.UNIX, 2, 4, 60, 1024), new NetBench.Watcher() {}, false);
    assertThat(bench.run().failure()).isEmpty();
    assertThat(bench.machines())
        .containsEntry("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
  }

  /** Whoever watches has the thread that measures interrupted, as Ctrl-C does, after so many. */
  private static NetBench.Watcher stopping(int after) {
    Thread measuring = Thread.currentThread();
    return new NetBench.Watcher() {
      @Override
      public void measured(Operation operation, int done, int total) {
        if (done == after) {
          measuring.interrupt();
        }
      }
    };
  }

  @Test
  void whatWasMeasuredBeforeItIsInterruptedCounts() throws Exception {
    NetPlan one = plan(Transport.UNIX, 2, 4, 60, 1024, 2048);
    NetPlan rounds =
        new NetPlan(
            one.operations(), 2, Transport.UNIX, 1, 4, 2, true, 3, true, one.silenceSeconds());
    NetBench.Outcome outcome = new NetBench(rounds, stopping(3), false).run();
    assertThat(outcome.failure()).isEqualTo("interrupted");
    assertThat(Thread.interrupted()).as("what is written next is not cut short").isFalse();
    assertThat(outcome.results().stream().map(it -> it.rounds().size())).containsExactly(2, 1);
    NetBench.Outcome whole = new NetBench(rounds, stopping(3), false).runWholeRounds();
    assertThat(whole.results().stream().map(it -> it.rounds().size())).containsExactly(1, 1);
  }

  @Test
  void pairsMeasuredBeforeItIsInterruptedCount() throws Exception {
    PairPlan plan = new PairPlan(4, Transport.UNIX, 1, 4096, 5, 0.05, false, 60);
    Thread measuring = Thread.currentThread();
    PairBench.Progress progress =
        (_, done, _) -> {
          if (done == 1) {
            measuring.interrupt();
          }
        };
    try (PairBench bench = PairBench.start(plan, new ThisMachine(), progress)) {
      assertThat(bench.all()).as("a round of three").hasSize(2).allMatch(PairResult::ok);
      assertThat(bench.stopped()).isTrue();
      assertThat(Thread.interrupted()).isFalse();
    }
  }

  /** This machine, on which so many ranks can be started, and no more. */
  private static RankSite exhausted(int left) {
    AtomicInteger started = new AtomicInteger();
    return new Until(new ThisMachine(), () -> started.getAndIncrement() == left);
  }

  @Test
  void roundsMeasuredBeforeRanksCouldNotStartAreKept() throws Exception {
    NetPlan one = plan(Transport.UNIX, 2, 4, 60, 1024);
    NetPlan three = new NetPlan(one.operations(), 2, Transport.UNIX, 1, 4, 2, true, 3, true, 60);
    NetBench.Outcome outcome =
        new NetBench(three, exhausted(5), new NetBench.Watcher() {}, false).run();
    assertThat(outcome.failure()).contains("nobody starts any more");
    assertThat(outcome.results())
        .singleElement()
        .satisfies(it -> assertThat(it.rounds()).hasSize(2));
    assertThatThrownBy(
            () -> new NetBench(three, exhausted(1), new NetBench.Watcher() {}, false).run())
        .as("nothing was measured")
        .hasMessageContaining("nobody starts any more");
  }

  /** Does something to a rank once some sizes were measured. */
  private static final class Fault implements NetBench.Watcher {
    private static final int STRUCK_AFTER = 3;

    private final int rank;
    private final int signal;
    private List<Long> pids = List.of();

    Fault(int rank, int signal) {
      this.rank = rank;
      this.signal = signal;
    }

    @Override
    public void started(List<Long> started) {
      pids = started;
    }

    @Override
    public void measured(Operation operation, int done, int total) {
      // The ranks are among the operations that follow.
      if (done == STRUCK_AFTER) {
        Signals.send(pids.get(rank), signal);
      }
    }
  }

  private static void requireNamed(NetBench.Outcome outcome, Fault fault) {
    assertThat(outcome.guilty()).as(outcome.failure()).isEqualTo(fault.rank);
    assertThat(outcome.results())
        .as("what was measured before is kept")
        .hasSizeBetween(1, MANY.length - 1);
    for (int rank = 0; rank < outcome.ranksSaid().size(); rank++) {
      if (rank != fault.rank) {
        assertThat(String.join(" ", outcome.ranksSaid().get(rank)))
            .contains("rank " + rank + " gives up: rank " + fault.rank + " ");
      }
    }
    assertThat(fault.pids)
        .as("nobody is left behind")
        .noneMatch(pid -> ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
  }

  @ParameterizedTest
  @EnumSource(
      value = Transport.class,
      names = {"TCP", "UNIX", "SHM"})
  void aRankThatIsKilledIsNamedByAllOthers(Transport transport) throws IOException {
    Fault fault = new Fault(2, Signals.KILL);
    NetBench.Outcome outcome = new NetBench(plan(transport, 4, 20, 60, MANY), fault).run();
    assertThat(outcome.failure()).contains("rank 2").contains("killed by signal 9");
    requireNamed(outcome, fault);
  }

  @ParameterizedTest
  @EnumSource(
      value = Transport.class,
      names = {"TCP", "SHM"})
  void aRankThatIsStoppedIsNamedByAllOthers(Transport transport) throws IOException {
    Fault fault = new Fault(1, STOP);
    NetBench.Outcome outcome = new NetBench(plan(transport, 3, 20, 10, MANY), fault).run();
    assertThat(outcome.failure()).contains("rank 1").contains("it is stopped");
    requireNamed(outcome, fault);
  }

  @Test
  void completeRoundsAreKeptWhenARankFailsInALaterOne() throws IOException {
    NetPlan once = plan(Transport.UNIX, 2, 5, 60, 1024, 4096);
    NetPlan plan = new NetPlan(once.operations(), 2, Transport.UNIX, 1, 5, 2, true, 4, true, 60);
    NetBench.Outcome outcome = new NetBench(plan, new Fault(1, Signals.KILL)).runWholeRounds();
    assertThat(outcome.guilty()).as(outcome.failure()).isEqualTo(1);
    assertThat(outcome.results())
        .as("the second round was cut short after its first size")
        .hasSize(2)
        .allMatch(it -> it.rounds().size() == 1);
    NetBench.Outcome first =
        new NetBench(plan(Transport.UNIX, 2, 20, 60, MANY), new Fault(1, Signals.KILL))
            .runWholeRounds();
    assertThat(first.failure()).isNotEmpty();
    assertThat(first.results()).isEmpty();
  }

  /** Ranks of this machine, as long as it starts any. */
  private record Until(RankSite here, Supplier<Boolean> over) implements RankSite {
    @Override
    public RankRun start(int rank, String settings) throws IOException {
      if (over.get()) {
        throw new IOException("nobody starts any more");
      }
      return here.start(rank, settings);
    }

    @Override
    public InetAddress address() throws IOException {
      return here.address();
    }

    @Override
    public List<String> networks() {
      return here.networks();
    }

    @Override
    public List<String> hosts() {
      return here.hosts();
    }

    @Override
    public String advice(int rank, int code) {
      return here.advice(rank, code);
    }
  }

  /** One round of a setting, of calls that are not warm. */
  private record Cold(AtomicInteger turns, int most) implements NetSweep.Planner {
    @Override
    public NetPlan plan(NetSweep.Setting setting) {
      return warmed(0, setting.transport(), setting.ranks(), 20, 60, 8);
    }

    @Override
    public RankSite site(NetSweep.Setting setting) {
      int turn = turns.incrementAndGet();
      return new Until(new ThisMachine(), () -> turn > most);
    }
  }

  @Test
  void aSweepKeepsItsCompleteRoundsAndSaysWhatDisturbedThem() throws IOException {
    List<NetSweep.Setting> settings =
        NetSweep.settings(List.of(Transport.SHM, Transport.UNIX), List.of(1), List.of(2));
    NetSweep.Outcome outcome =
        NetSweep.run(settings, 3, new Cold(new AtomicInteger(), 3), (_, _, _) -> {});
    assertThat(outcome.failure()).get().asString().contains("nobody starts any more");
    assertThat(outcome.rounds()).isEqualTo(1);
    assertThat(outcome.results().keySet()).containsExactlyElementsOf(settings);
    assertThat(outcome.results().values())
        .allMatch(it -> it.size() == 1 && it.getFirst().rounds().size() == 1);
    assertThat(outcome.notes())
        .as("one for all turns")
        .filteredOn(it -> it.contains("compilers"))
        .hasSize(1);
    assertThatThrownBy(
            () -> NetSweep.run(settings, 3, new Cold(new AtomicInteger(), 1), (_, _, _) -> {}))
        .as("nothing is complete")
        .hasMessageContaining("nobody starts any more");
  }

  @Test
  void moreRanksThanCoresWork() throws IOException {
    NetBench.Outcome outcome =
        new NetBench(plan(Transport.SHM, 8, 3, 60, 64 << 10), new NetBench.Watcher() {}).run();
    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.results()).hasSize(1).allMatch(it -> it.wrong() == 0);
  }

  @Test
  void soManyCallsAreMeasuredAsSomebodySaysButWarmOnes() throws IOException {
    NetBench.Outcome cold =
        new NetBench(warmed(0, Transport.SHM, 2, 20, 60, 8), new NetBench.Watcher() {}, false)
            .run();
    assertThat(cold.failure()).isEmpty();
    assertThat(cold.notes())
        .as("the first calls of a rank are the ones that are compiled, and that is said")
        .anyMatch(it -> it.contains("compilers") && it.contains("1 counted although"));
    NetPlan asMany = warmed(NetPlan.UNTIL_WARM, Transport.SHM, 2, 20, 60, 8);
    NetBench.Outcome warm = new NetBench(asMany, new NetBench.Watcher() {}, false).run();
    assertThat(warm.failure()).isEmpty();
    assertThat(warm.results().getFirst().latency().p50())
        .isLessThan(cold.results().getFirst().latency().p50());
    assertThat(NetBench.facts(asMany, warm))
        .containsEntry("iterations", "20")
        .containsEntry("warmup", "auto");
  }
}
