package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The benchmarks. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nBenchmarks:%n",
    description = "Measure what this machine delivers, beside what others make of it.")
final class BenchCommand implements Runnable {
  private final Console console;

  @Spec private CommandSpec spec;

  private BenchCommand(Console console) {
    this.console = console;
  }

  static CommandLine commandLine(Console console) {
    return new CommandLine(new BenchCommand(console))
        .addSubcommand(new BenchStoreCommand(console))
        .addSubcommand(new BenchControlCommand(console))
        .addSubcommand(BenchNetCommand.commandLine(console))
        .addSubcommand(new BenchImportCommand(console))
        .addSubcommand(new BenchListCommand(console))
        .addSubcommand(new BenchShowCommand(console))
        .addSubcommand(new BenchDiffCommand(console))
        .addSubcommand(new BenchTrendCommand(console))
        .addSubcommand(new BenchBaselineCommand(console))
        .addSubcommand(new BenchBlameCommand(console))
        .addSubcommand(new BenchForensicsCommand(console));
  }

  @Override
  public void run() {
    spec.commandLine().usage(console.help());
  }
}
