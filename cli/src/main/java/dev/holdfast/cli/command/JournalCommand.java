package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The journal of the control plane. */
@Command(
    name = "journal",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    description = "Save, bring back, check and shrink the journal of the control plane.",
    footer = {
      "",
      "docs/control-plane.md says what is in it and how long it is kept.",
      "",
      "Examples:",
      "  holdfast journal backup /backup/holdfast.gz     also while the control plane runs",
      "  holdfast journal restore /backup/holdfast.gz --state /var/lib/holdfast/control",
      "  holdfast journal check                          is all of it readable",
      "  holdfast journal compact --keep 30d             shrink it now",
    })
final class JournalCommand implements Runnable {
  private final Console console;

  @Spec private CommandSpec spec;

  private JournalCommand(Console console) {
    this.console = console;
  }

  static CommandLine commandLine(Console console) {
    return new CommandLine(new JournalCommand(console))
        .addSubcommand(new JournalBackupCommand(console))
        .addSubcommand(new JournalRestoreCommand(console))
        .addSubcommand(new JournalCheckCommand(console))
        .addSubcommand(new JournalCompactCommand(console));
  }

  @Override
  public void run() {
    spec.commandLine().usage(console.help());
  }
}
