package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.plan.ProgramRule;
import dev.holdfast.os.libc.Exec;
import dev.holdfast.os.process.OwnArguments;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What is wrong inside a rank: which kernel, which line? */
@Command(
    name = "debug",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Run a program, or one rank of a job, under a debugger and sum up what it found.",
    customSynopsis = {
      "holdfast debug TOOL [OPTIONS] [ITS OPTIONS] -- PROGRAM [ARGUMENT...]",
    },
    footer = {
      "",
      "TOOL:",
      "  memcheck    accesses out of bounds, misaligned, leaks (--leak-check full)",
      "  racecheck   hazards in shared memory (--racecheck-report all)",
      "  initcheck   reads of memory nobody wrote",
      "  synccheck   barriers that not all threads reach",
      "  gdb         where a crash or a GPU exception happens",
      "The first four need compute-sanitizer (or cuda-memcheck), the last cuda-gdb or gdb.",
      "",
      "Put between a launcher and its program it debugs one rank: the others become the program at once.",
      "A .py file is run by Python, as `holdfast run` does. Build kernels with -lineinfo to see lines.",
      "Debugged programs are much slower: raise the timeouts of the job.",
      "",
      "Exit code: that of the program; where it is 0, 1 with findings, 3 when the tool could not work.",
      "",
      "Examples:",
      "  holdfast debug memcheck -- ./kernels",
      "  holdfast debug memcheck --leak-check full --print-limit 20 -- python train.py",
      "  holdfast run --nproc-per-node 8 holdfast debug racecheck --rank 3 -- train.py",
      "  srun -n 16 holdfast debug gdb --rank 7 --report gdb.txt -- ./app",
    })
final class DebugCommand implements Callable<Integer> {
  /** How launchers tell a rank who it is; Slurm last, because what it starts may be a launcher. */
  private static final List<String> RANKS =
      List.of(
          "RANK",
          "OMPI_COMM_WORLD_RANK",
          "PMIX_RANK",
          "PMI_RANK",
          "FLUX_TASK_RANK",
          "SLURM_PROCID");

  private final Console console;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "TOOL", hidden = true)
  private Debugger tool = Debugger.MEMCHECK;

  @Parameters(index = "1..*", paramLabel = "PROGRAM", hidden = true)
  private List<String> words = List.of();

  @Option(
      names = "--rank",
      paramLabel = "N",
      description = "Debug this rank alone; which rank this is, the launcher's variables say.")
  private @Nullable Integer rank;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Where the tool's own report goes. Default: the rank's log folder, else /tmp.")
  private @Nullable Path report;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "text, or json: then what the program prints goes to stderr. Default: text.")
  private Format format = Format.TEXT;

  /** How the answer is written. */
  enum Format {
    TEXT,
    JSON
  }

  private DebugCommand(Console console) {
    this.console = console;
  }

  /** What we do not know is the tool's. */
  static CommandLine commandLine(Console console) {
    return new CommandLine(new DebugCommand(console)).setUnmatchedOptionsArePositionalParams(true);
  }

  @Override
  public Integer call() {
    List<String> original = spec.commandLine().getParseResult().originalArgs();
    int dashes = original.indexOf("--");
    int count = dashes < 0 ? 0 : original.size() - dashes - 1;
    if (count == 0) {
      throw new ParameterException(
          spec.commandLine(), "which program? holdfast debug TOOL [OPTIONS] -- PROGRAM");
    }
    List<String> options = words.subList(0, words.size() - count);
    Map<String, String> environment = System.getenv();
    List<String> program =
        new ProgramRule(Path.of("").toAbsolutePath(), environment)
            .of(
                OwnArguments.restored(words.subList(words.size() - count, words.size())),
                false,
                false,
                false)
            .words();
    OptionalInt own = own(environment);
    if (rank != null && own.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--rank %d, but no launcher's variable (%s) says which rank this is"
              .formatted(rank, String.join(", ", RANKS)));
    }
    if (rank != null && own.getAsInt() != rank) {
      return become(program);
    }
    DebugRun run = new DebugRun(console, tool, own, Optional.ofNullable(report));
    DebugRun.Result result = run.run(options, program, environment, format == Format.JSON);
    console.answer(
        format == Format.JSON
            ? Json.pretty(result.json())
            : result.text(console.style(), console.width()));
    return result.exitCode();
  }

  private static OptionalInt own(Map<String, String> environment) {
    return RANKS.stream()
        .map(name -> environment.getOrDefault(name, ""))
        .filter(value -> value.matches("[0-9]{1,7}"))
        .mapToInt(Integer::parseInt)
        .findFirst();
  }

  private int become(List<String> program) {
    try {
      Exec.replace(
          program.getFirst(),
          program.stream().map(word -> word.getBytes(StandardCharsets.UTF_8)).toList(),
          Map.of());
      throw new IllegalStateException("the program replaced us and yet we are here");
    } catch (IOException problem) {
      throw DebugRun.notStarted(problem);
    }
  }
}
