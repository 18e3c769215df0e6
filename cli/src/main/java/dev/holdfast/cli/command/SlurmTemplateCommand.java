package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.slurm.JobTemplate;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A batch script to begin with. */
@Command(
    name = "template",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Print a batch script that survives time limits, requeues and bad nodes.",
    footer = {
      "",
      "Before the time limit the ranks get TERM, write a checkpoint, and the job queues again under"
          + " the same",
      "number; nodes that were to blame are left out from then on; scancel ends it.",
      "",
      "Examples:",
      "  holdfast slurm template --nodes 4 train.py --lr 0.1 > job.sbatch && sbatch job.sbatch",
      "  holdfast slurm template --image nvcr.io#nvidia/pytorch:26.01-py3 train.py",
    })
final class SlurmTemplateCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--name", paramLabel = "NAME", description = "The job's. Default: train.")
  private String name = "train";

  @Option(names = "--nodes", paramLabel = "N", description = "Default: 2.")
  private int nodes = 2;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      description = "GPUs to ask for on each node; 0: none. Default: 8.")
  private int gpus = 8;

  @Option(
      names = "--ranks",
      paramLabel = "N|gpu",
      description = "Ranks on each node. Default: one for each GPU.")
  private String ranks = "gpu";

  @Option(names = "--time", paramLabel = "LIMIT", description = "As sbatch reads it. Default: 1-0.")
  private String time = "1-0";

  @Option(
      names = "--notice",
      paramLabel = "SECONDS",
      description = "How long before the limit ranks are asked to end. Default: 300.")
  private int notice = 300;

  @Option(
      names = "--image",
      paramLabel = "IMAGE",
      description = "Run in this container, with pyxis; it has Holdfast inside.")
  private @Nullable String image;

  @Option(
      names = "--program",
      paramLabel = "PATH",
      description = "Holdfast on the nodes, or in the image. Default: holdfast.")
  private String program = "holdfast";

  @Parameters(
      arity = "0..*",
      paramLabel = "PROGRAM",
      description = "What the ranks run, with its arguments. Default: train.py.")
  private List<String> command = List.of("train.py");

  SlurmTemplateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    require(name.matches("[A-Za-z0-9_.-]+"), "--name: letters, digits, . _ and -");
    require(nodes > 0 && gpus >= 0 && notice > 0, "--nodes, --gpus, --notice: positive numbers");
    require(ranks.matches("[1-9][0-9]{0,3}|gpu|cpu|auto"), "--ranks: a number, or gpu");
    require(time.matches("[0-9:-]+"), "--time: as sbatch reads it, such as 12:00:00 or 1-0");
    console.answer(
        new JobTemplate(name, nodes, gpus, ranks, time, notice, image, program, command).text());
    return 0;
  }

  private static void require(boolean fine, String what) {
    if (!fine) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, what);
    }
  }
}
