package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.text.Style;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
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
      "`holdfast explain WORD` what a code, a number or a pasted line means."
    })
public final class RootCommand implements Runnable {
  /** Tells of all others. */
  private static final String HELP = "help";

  private final Console console;

  private RootCommand(Console console) {
    this.console = console;
  }

  /** Each command by its name, in the order of the map. */
  private static Map<String, Function<Console, Object>> commands() {
    Map<String, Function<Console, Object>> all = new LinkedHashMap<>();
    all.put("up", UpCommand::new);
    all.put("serve", ServeCommand::new);
    all.put("doctor", DoctorCommand::new);
    all.put("snapshot", SnapshotCommand::new);
    all.put("topo", TopoCommand::new);
    // What follows the command to start is the command's, -- or not.
    all.put("bind", it -> new CommandLine(new BindCommand(it)).setStopAtPositional(true));
    all.put("run", RunCommand::commandLine);
    all.put("watch", WatchCommand::new);
    all.put("nodes", NodesCommand::new);
    all.put("incidents", IncidentsCommand::new);
    all.put("findings", FindingsCommand::new);
    all.put("decisions", DecisionsCommand::new);
    all.put("jobs", JobsCommand::new);
    all.put("drain", DrainCommand::new);
    all.put("undrain", UndrainCommand::new);
    all.put("approve", ApproveCommand::new);
    all.put("reject", RejectCommand::new);
    all.put("wrong", WrongCommand::new);
    all.put("note", NoteCommand::new);
    all.put("evidence", EvidenceCommand::commandLine);
    all.put("pause", PauseCommand::new);
    all.put("resume", ResumeCommand::new);
    all.put("status", StatusCommand::new);
    all.put("logs", LogsCommand::new);
    all.put("stacks", StacksCommand::new);
    all.put("debug", DebugCommand::commandLine);
    all.put("diagnose", DiagnoseCommand::new);
    all.put(
        "store",
        it ->
            new CommandLine(new StoreCommand(it))
                .addSubcommand(new StoreStatusCommand(it))
                .addSubcommand(new StoreMetricsCommand(it)));
    all.put("bench", BenchCommand::commandLine);
    all.put("policy", PolicyCommand::commandLine);
    all.put("journal", JournalCommand::commandLine);
    all.put("agent", AgentCommand::new);
    all.put("slurm", SlurmCommand::commandLine);
    all.put("token", TokenCommand::commandLine);
    all.put("audit", AuditCommand::new);
    all.put("explain", ExplainCommand::commandLine);
    all.put("completion", CompletionCommand::new);
    all.put("version", VersionCommand::new);
    all.put(HELP, _ -> new HelpCommand());
    return all;
  }

  /** The whole tree of commands, writing to this console. */
  public static CommandLine commandLine(Console console) {
    return commandLine(console, commands());
  }

  /**
   * As much of the tree as a command line needs: to make a hundred commands takes longer than most
   * of them take, so where the first word names one, there is no other.
   */
  public static CommandLine commandLine(Console console, String... arguments) {
    Map<String, Function<Console, Object>> all = commands();
    String first = arguments.length == 0 ? "" : arguments[0];
    Function<Console, Object> named = all.get(first);
    boolean alone = named != null && !first.equals(HELP);
    return commandLine(console, alone ? Map.of(first, named) : all);
  }

  private static CommandLine commandLine(
      Console console, Map<String, Function<Console, Object>> commands) {
    CommandLine root = new CommandLine(new RootCommand(console));
    commands.forEach((name, maker) -> root.addSubcommand(name, maker.apply(console)));
    return root.setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(false)
        .setUsageHelpWidth(Math.clamp(console.width(), 80, 110))
        .setHelpFactory(FlowingHelp::new)
        .setColorScheme(
            Help.defaultColorScheme(console.style() == Style.ANSI ? Ansi.ON : Ansi.OFF));
  }

  @Override
  public void run() {
    commandLine(console).usage(console.help());
  }
}
