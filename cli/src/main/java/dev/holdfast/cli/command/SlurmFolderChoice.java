package dev.holdfast.cli.command;

import dev.holdfast.cli.slurm.SlurmFolder;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which folder of Slurm's is meant. */
final class SlurmFolderChoice {
  @Option(
      names = "--dir",
      required = true,
      paramLabel = "DIR",
      description = "Slurm's folder on the nodes, such as /etc/slurm.")
  private Path folder = Path.of("");

  SlurmFolder folder() {
    return new SlurmFolder(folder);
  }
}
