package dev.holdfast.launch.supervise;

import dev.holdfast.core.topology.IdSet;
import dev.holdfast.os.libc.ChildOutput;
import dev.holdfast.os.libc.CpuAffinity;
import dev.holdfast.os.libc.Reaper.Ended;
import dev.holdfast.os.libc.Spawn;
import dev.holdfast.os.process.Children;
import dev.holdfast.os.process.Children.Child;
import dev.holdfast.os.process.ProgramPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Starts ranks: their streams, their place, their environment. On the thread that may do so. */
final class RankStarter {
  private static final int OUTPUT = 1;
  private static final int ERRORS = 2;

  private final Children children;
  private final Holding holding;
  private final Environment environment;
  private final ConsoleQueue console;
  private final SupervisorOptions options;
  private final Consumer<String> trouble;

  RankStarter(
      Children children,
      Holding holding,
      Environment environment,
      ConsoleQueue console,
      SupervisorOptions options,
      Consumer<String> trouble) {
    this.children = children;
    this.holding = holding;
    this.environment = environment;
    this.console = console;
    this.options = options;
    this.trouble = trouble;
  }

  /** Starts all; the first that cannot be started is the attempt's failure, and the last tried. */
  void start(Attempt attempt, BiConsumer<Rank, Ended> ended) {
    try {
      if (holding.cgroups().isPresent()) {
        attempt.group =
            Optional.of(
                holding.cgroups().get().create(ProcessHandle.current().pid(), attempt.number));
      }
    } catch (IOException refused) {
      // It worked at our start; what is left to us still ends the ranks.
      attempt.group = Optional.empty();
    }
    for (Rank rank : attempt.ranks) {
      try {
        if (!adopt(attempt, rank, ended)) {
          start(attempt, rank, ended);
        }
      } catch (IOException | RuntimeException problem) {
        attempt.failure =
            Optional.of(
                new Attempt.Failure(rank.spec.rank(), String.valueOf(problem.getMessage())));
        return;
      }
    }
  }

  /** Makes its standby the rank; false when there is none, or it died just now. */
  private boolean adopt(Attempt attempt, Rank rank, BiConsumer<Rank, Ended> ended) {
    if (rank.standby.isEmpty()) {
      return false;
    }
    Standby standby = rank.standby.get();
    try {
      if (attempt.group.isPresent()) {
        Cgroups.enter(attempt.group.get(), standby.pid());
      }
    } catch (IOException refused) {
      standby.kill();
      return false;
    }
    if (!standby.go(end -> ended.accept(rank, end))) {
      return false;
    }
    rank.pid = standby.pid();
    rank.warm = true;
    RankConsole view = view(rank.spec);
    Standby.Streams streams = standby.streams();
    rank.output = Optional.of(pump(attempt, rank.spec, streams.output(), OUTPUT, view));
    rank.errors = Optional.of(pump(attempt, rank.spec, streams.errors(), ERRORS, view));
    return true;
  }

  private RankConsole view(RankSpec spec) {
    return new RankConsole(
        console,
        new Allowance(options.linesPerSecond(), options.burst(), System.nanoTime()),
        spec.prefix(),
        spec.keep() == 0 ? "" : spec.folder());
  }

  private void start(Attempt attempt, Rank rank, BiConsumer<Rank, Ended> ended) throws IOException {
    RankSpec spec = rank.spec;
    Environment own = environment.with(spec.environment());
    List<String> command = new ArrayList<>(spec.command());
    command.set(0, ProgramPath.require(command.getFirst(), own.path()));
    RankConsole view = view(spec);
    ChildOutput output = ChildOutput.open();
    ChildOutput errors = ChildOutput.open();
    try {
      Child child =
          new Child(
              Environment.words(holding.wrap(command, attempt.group)),
              own.lines(),
              cpus(spec),
              Spawn.NOTHING,
              output.writeEnd(),
              errors.writeEnd());
      rank.pid = children.start(child, end -> ended.accept(rank, end));
    } catch (IOException | RuntimeException problem) {
      output.close();
      errors.close();
      throw problem;
    }
    output.closeWriteEnd();
    errors.closeWriteEnd();
    rank.output = Optional.of(pump(attempt, spec, output, OUTPUT, view));
    rank.errors = Optional.of(pump(attempt, spec, errors, ERRORS, view));
  }

  private static StreamPump pump(
      Attempt attempt, RankSpec spec, ChildOutput pipe, int stream, RankConsole view) {
    boolean error = stream == ERRORS;
    Path file = Path.of(spec.folder(), error ? "stderr.log" : "stdout.log");
    StreamPump pump =
        new StreamPump(
            pipe,
            error,
            (spec.keep() & stream) == 0
                ? Optional.empty()
                : Optional.of(
                    new LogWriter(
                        new LogFile(file, attempt.troubles), "log of rank " + spec.rank())),
            (spec.show() & stream) == 0 ? Optional.empty() : Optional.of(view));
    pump.start((error ? "errors of rank " : "output of rank ") + spec.rank());
    return pump;
  }

  /** A binding the kernel would refuse is told and left out: the rank runs, if slower. */
  private BitSet cpus(RankSpec spec) throws IOException {
    BitSet cpus = permitted(spec);
    if (cpus.isEmpty() && !spec.cpus().isEmpty()) {
      trouble.accept("rank " + spec.rank() + " is not bound: we may not use CPUs " + spec.cpus());
    }
    return cpus;
  }

  /** Where it is to run; empty when that is anywhere, or nowhere we may. */
  static BitSet permitted(RankSpec spec) throws IOException {
    BitSet cpus = new BitSet();
    IdSet.parse(spec.cpus()).stream().forEach(cpus::set);
    return cpus.isEmpty() || cpus.intersects(CpuAffinity.permitted()) ? cpus : new BitSet();
  }
}
