package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.slurm.SlurmFolder;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Take Slurm's hooks away again. */
@Command(
    name = "uninstall",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Remove from Slurm's folder what `slurm install` wrote, and nothing else.",
    footer = {
      "",
      "Files that were changed by hand are kept and named, and the exit code is 1. Folders that"
          + " were made are",
      "removed when they are empty. Take the lines out of slurm.conf first: Slurm fails jobs whose"
          + " prolog",
      "it does not find.",
    })
final class SlurmUninstallCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private SlurmFolderChoice choice = new SlurmFolderChoice();

  @Option(names = "--dry-run", description = "Say what would be removed; remove nothing.")
  private boolean dryRun;

  SlurmUninstallCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    SlurmFolder target = choice.folder();
    if (!target.installed()) {
      console.message("nothing of ours is in " + target.folder());
      return 0;
    }
    List<SlurmFolder.Step> steps = target.uninstall(dryRun);
    SlurmSteps.tell(console, steps, dryRun);
    return steps.stream().anyMatch(it -> it.fate() == SlurmFolder.Fate.KEPT) ? 1 : 0;
  }
}
