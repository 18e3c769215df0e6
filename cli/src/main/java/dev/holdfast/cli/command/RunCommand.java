package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.plan.Choices;
import dev.holdfast.launch.plan.JobSpecs;
import dev.holdfast.launch.plan.Workplace;
import dev.holdfast.launch.platform.Discovery;
import dev.holdfast.launch.platform.Platform;
import dev.holdfast.os.process.OwnArguments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Start the ranks of a training job and keep them running. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Start the ranks of a job, watch them, and start them again when they fail.",
    customSynopsis = {
      "holdfast run [OPTIONS] [--] PROGRAM [ARGUMENT...]",
      "       holdfast run [OPTIONS] -m MODULE [ARGUMENT...]",
    },
    footer = {
      "",
      "Takes torchrun's options, with dashes or underscores, and gives ranks its variables. Each option",
      "is also a variable (HOLDFAST_NNODES, PET_NNODES) and a key of --config; the command line wins,",
      "then variables, then the file, then what the platform says. A .py file and -m mean Python",
      "($$PYTHON_EXEC, the active environment, python3); anything else is executed.",
      "",
      "Examples:",
      "  holdfast run --nproc-per-node 8 train.py --lr 0.1",
      "  srun --ntasks-per-node=1 holdfast run --nproc-per-node gpu --max-restarts 3 train.py",
      "  holdfast run --nnodes 2 --rdzv-endpoint n1 --nproc-per-node 8 -m pkg.train",
      "  holdfast run --dry-run --nproc-per-node 8 train.py        what would be started",
    })
final class RunCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-v", "--verbose"},
      description = "Say what is noteworthy about the options too.")
  private boolean verbose;

  @Option(
      names = "--format",
      paramLabel = "FORM",
      description = "Of --dry-run and --preflight: table or json. Default: table.")
  private Form form = Form.TABLE;

  @Parameters(paramLabel = "PROGRAM", hidden = true)
  private List<String> words = List.of();

  /** How an answer is written. */
  enum Form {
    TABLE,
    JSON
  }

  private RunCommand(Console console) {
    this.console = console;
  }

  /** What follows the program is the program's, --help included. */
  static CommandLine commandLine(Console console) {
    CommandSpec command = CommandSpec.forAnnotatedObject(new RunCommand(console));
    RunOptions.addTo(command);
    return new CommandLine(command).setStopAtPositional(true);
  }

  @Override
  public Integer call() {
    Workplace here = LiveWorkplace.workplace();
    Choices choices =
        RunOptions.choices(spec.commandLine().getParseResult(), here.environment(), here.folder());
    Platform platform = Discovery.of(LiveWorkplace.surroundings());
    JobSpec job = JobSpecs.of(choices, platform, here, program());
    if (verbose) {
      JobSpecs.withoutEffect(choices).forEach(console::message);
      platform.notes().forEach(console::message);
    }
    boolean dry = choices.flag("dry-run");
    if (choices.flag("preflight")) {
      preflight(Preflight.of(job), dry);
    } else if (dry) {
      dryRun(new DryRun(job, here.environment(), shim()));
    }
    if (dry) {
      return 0;
    }
    return RunLauncher.run(job, console);
  }

  /** The program and its arguments, which are its own business: not even a locale spoils them. */
  private List<String> program() {
    if (words.isEmpty()) {
      return words;
    }
    List<String> program = new ArrayList<>(words.subList(0, 1));
    program.addAll(OwnArguments.restored(words.subList(1, words.size())));
    return program;
  }

  /** Ranks write to stdout; only an answer that nothing follows goes there too. */
  private void preflight(Preflight found, boolean dry) {
    if (form == Form.JSON) {
      console.answer(Json.pretty(found.json()));
    } else if (dry) {
      console.answer(found.table(console.style(), console.width()));
    } else {
      console.err().text(found.table(console.style(), console.width()));
    }
    if (found.obstacle().isPresent()) {
      throw new HoldfastException(
          ErrorCode.NOT_READY, "this node is not fit for the job: " + found.obstacle().get());
    }
  }

  private void dryRun(DryRun plan) {
    console.answer(
        form == Form.JSON
            ? Json.pretty(plan.json())
            : plan.table(console.style(), console.width()));
  }

  private static Path shim() {
    return PythonFolder.shim().orElse(Path.of("/nonexistent"));
  }
}
