package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Holdfast where Slurm's users and operators expect it. */
@Command(
    name = "slurm",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    description =
        "Hooks for Slurm's nodes, scripts for its jobs, what a dead slurmd leaves behind.",
    footer = {
      "",
      "docs/slurm.md tells of hooks, jobs and exit codes. Jobs: `srun --ntasks-per-node=1 holdfast"
          + " run …`.",
      "",
      "Examples:",
      "  holdfast slurm install --dir /etc/slurm --dry-run",
      "  holdfast slurm template --nodes 4 train.py > job.sbatch",
      "  holdfast slurm orphans",
    })
final class SlurmCommand implements Runnable {
  private final Console console;

  @Spec private CommandSpec spec;

  private SlurmCommand(Console console) {
    this.console = console;
  }

  static CommandLine commandLine(Console console) {
    return new CommandLine(new SlurmCommand(console))
        .addSubcommand(new SlurmInstallCommand(console))
        .addSubcommand(new SlurmUninstallCommand(console))
        .addSubcommand(new CommandLine(new SlurmTemplateCommand(console)).setStopAtPositional(true))
        .addSubcommand(new SlurmOrphansCommand(console));
  }

  @Override
  public void run() {
    spec.commandLine().usage(console.help());
  }
}
