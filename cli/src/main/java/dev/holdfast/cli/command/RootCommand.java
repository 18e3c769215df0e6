package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.text.Style;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;

/** The map of commands. */
@Command(
    name = "holdfast",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.Provider.class,
    header = "Keeps large training runs alive and fast.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Answers go to stdout, messages to stderr. Exit codes: 0 fine, 1 findings or failure,",
      "2 wrong usage, 3 could not run. `holdfast help COMMAND` tells more of each command,",
      "`holdfast explain WORD` what an error code, an Xid or a check means."
    })
public final class RootCommand implements Runnable {
  private final Console console;

  private RootCommand(Console console) {
    this.console = console;
  }

  /** The whole command tree, writing to this console. */
  public static CommandLine commandLine(Console console) {
    return new CommandLine(new RootCommand(console))
        .addSubcommand(new UpCommand(console))
        .addSubcommand(new ServeCommand(console))
        .addSubcommand(new DoctorCommand(console))
        .addSubcommand(new SnapshotCommand(console))
        .addSubcommand(new TopoCommand(console))
        // What follows the command to start is the command's, -- or not.
        .addSubcommand(new CommandLine(new BindCommand(console)).setStopAtPositional(true))
        .addSubcommand(RunCommand.commandLine(console))
        .addSubcommand(new WatchCommand(console))
        .addSubcommand(new NodesCommand(console))
        .addSubcommand(new IncidentsCommand(console))
        .addSubcommand(new FindingsCommand(console))
        .addSubcommand(new DecisionsCommand(console))
        .addSubcommand(new JobsCommand(console))
        .addSubcommand(new DrainCommand(console))
        .addSubcommand(new UndrainCommand(console))
        .addSubcommand(new ApproveCommand(console))
        .addSubcommand(new RejectCommand(console))
        .addSubcommand(new WrongCommand(console))
        .addSubcommand(new NoteCommand(console))
        .addSubcommand("evidence", EvidenceCommand.commandLine(console))
        .addSubcommand(new PauseCommand(console))
        .addSubcommand(new ResumeCommand(console))
        .addSubcommand(new StatusCommand(console))
        .addSubcommand(new LogsCommand(console))
        .addSubcommand(new StacksCommand(console))
        .addSubcommand(DebugCommand.commandLine(console))
        .addSubcommand(new DiagnoseCommand(console))
        .addSubcommand(
            "store",
            new CommandLine(new StoreCommand(console))
                .addSubcommand(new StoreStatusCommand(console))
                .addSubcommand(new StoreMetricsCommand(console)))
        .addSubcommand("bench", BenchCommand.commandLine(console))
        .addSubcommand("policy", PolicyCommand.commandLine(console))
        .addSubcommand("journal", JournalCommand.commandLine(console))
        .addSubcommand(new AgentCommand(console))
        .addSubcommand("slurm", SlurmCommand.commandLine(console))
        .addSubcommand("token", TokenCommand.commandLine(console))
        .addSubcommand(new AuditCommand(console))
        .addSubcommand(new ExplainCommand(console))
        .addSubcommand(new CompletionCommand(console))
        .addSubcommand(new VersionCommand(console))
        .addSubcommand(new HelpCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(false)
        .setUsageHelpWidth(Math.clamp(console.width(), 80, 110))
        .setColorScheme(
            CommandLine.Help.defaultColorScheme(
                console.style() == Style.ANSI ? Ansi.ON : Ansi.OFF));
  }

  @Override
  public void run() {
    console.answer(commandLine(console).getUsageMessage());
  }
}
