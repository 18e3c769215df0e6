package dev.holdfast.bench.net;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.os.process.ProgramPath;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Collectives of MPI, by a program of a few lines that mpirun starts: what MPI makes of this
 * machine, in the same columns as our own.
 */
public final class MpiBench {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Thousands of calls of dozens of sizes. */
  private static final int MOST_OUTPUT = 64 << 20;

  private final Path program;
  private final String runner;
  private final List<String> options;

  MpiBench(Path program, String runner, List<String> options) {
    this.program = program;
    this.runner = runner;
    this.options = List.copyOf(options);
  }

  /** Refuses what MPI is not asked for. */
  static void requireKnown(List<Operation> operations) {
    for (Operation operation : operations) {
      switch (operation.collective()) {
        case LATENCY, BANDWIDTH, BIDIRECTIONAL ->
            throw new IllegalArgumentException(
                "--transport: p2p is not measured over mpi; OSU's programs do that, and `holdfast"
                    + " bench import` reads what they print");
        default -> {}
      }
      if (operation.element() != Element.FLOAT || operation.pieces() > 1) {
        throw new IllegalArgumentException("--transport: over mpi, whole buffers of float only");
      }
    }
  }

  /** Why there is none, and what would change that. */
  static final String MISSING =
      "there is no mpicc or mpirun (apt-get install openmpi-bin libopenmpi-dev)";

  /**
   * What is installed here; nothing when it is not.
   *
   * @param checkout where the program's source is
   * @param options of mpirun, beside how many ranks there are
   */
  static Optional<MpiBench> find(Path checkout, List<String> options) throws IOException {
    String path = System.getenv().getOrDefault("PATH", "");
    Optional<String> compiler = ProgramPath.find("mpicc", path);
    Optional<String> runner = ProgramPath.find("mpirun", path);
    if (compiler.isEmpty() || runner.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new MpiBench(
            PeerProgram.compiled(compiler.get(), checkout, "mpi_collective.c"),
            runner.get(),
            options));
  }

  /** The same, with these options of mpirun. */
  MpiBench with(String... more) {
    return new MpiBench(program, runner, List.of(more));
  }

  /**
   * Measures a plan of one collective; what was measured counts also when a later round fails.
   *
   * @param options of mpirun
   * @param again whether rounds in which others used the machine are made again
   */
  public static NetBench.Outcome run(
      NetPlan plan, Path checkout, List<String> options, NetBench.Watcher watcher, boolean again)
      throws IOException {
    return find(checkout, options)
        .orElseThrow(() -> new IOException(MISSING))
        .run(plan, watcher, again);
  }

  NetBench.Outcome run(NetPlan plan, NetBench.Watcher watcher, boolean again) throws IOException {
    NetRounds rounds = new NetRounds(plan.rounds(), again);
    String failure = "";
    while (failure.isEmpty() && rounds.more()) {
      NetRound round = new NetRound(plan, true);
      rounds.add(round);
      Map<Long, double[]> calls;
      try {
        calls = calls(plan.operations(), plan.ranks(), plan.iterations(), plan.leastWarmup());
      } catch (IOException failed) {
        if (rounds.made() == 1) {
          throw failed;
        }
        failure = String.valueOf(failed.getMessage());
        // Where somebody ended it, that is heard now: mpirun is asked once more, for its name.
        Thread.interrupted();
        continue;
      }
      for (Operation operation : plan.operations()) {
        round.measured(operation, calls.getOrDefault(operation.bytes(), new double[0]));
      }
      round.complete();
      int total = rounds.expected() * plan.operations().size();
      watcher.measured(
          plan.operations().getLast(), rounds.made() * plan.operations().size(), total);
    }
    Map<Operation, Long> wrong = new HashMap<>();
    // The program ends with an error when a value is wrong.
    plan.operations().forEach(it -> wrong.put(it, 0L));
    return new NetBench.Outcome(
        rounds.results(plan, wrong),
        "by mpirun",
        about(),
        rounds.load(),
        rounds.notes(),
        failure,
        -1,
        List.of());
  }

  /** Such as "mpirun (Open MPI) 4.1.4". */
  private String about() {
    return Command.of(runner, "--version")
        .within(Duration.ofSeconds(20))
        .run()
        .output()
        .lines()
        .map(String::strip)
        .filter(it -> !it.isEmpty())
        .findFirst()
        .orElse("MPI");
  }

  /** The seconds of each call of the rank that took longest in all, by size. */
  Map<Long, double[]> calls(List<Operation> operations, int ranks, int iterations, int warmup)
      throws IOException {
    Operation first = operations.getFirst();
    List<String> words = new ArrayList<>();
    words.addAll(List.of(runner, "--oversubscribe", "-np", Integer.toString(ranks)));
    words.addAll(options);
    words.addAll(
        List.of(
            program.toString(),
            first.collective().word(),
            operations.stream().map(it -> "" + it.bytes()).collect(Collectors.joining(",")),
            Integer.toString(first.root()),
            Integer.toString(iterations),
            Integer.toString(warmup)));
    CommandResult result =
        Command.of(words)
            .with("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .with("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .within(PATIENCE)
            .limit(MOST_OUTPUT, 1 << 16)
            .run();
    Map<Long, double[]> calls = PeerProgram.calls(result.output());
    if (!result.succeeded() || !operations.stream().allMatch(it -> calls.containsKey(it.bytes()))) {
      throw new IOException(
          "MPI failed: " + result.why() + " " + result.error().lines().limit(3).toList());
    }
    return calls;
  }

  /** A median of each size. */
  Map<Long, Double> medians(List<Operation> operations, int ranks) throws IOException {
    Map<Long, Double> medians = new HashMap<>();
    calls(operations, ranks, 0, 5)
        .forEach(
            (bytes, seconds) -> {
              Arrays.sort(seconds);
              medians.put(bytes, seconds[seconds.length / 2]);
            });
    return medians;
  }
}
