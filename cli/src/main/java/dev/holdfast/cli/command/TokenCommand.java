package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Who may ask the control plane. */
@Command(
    name = "token",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    description = "Let people and nodes in to the control plane, and out again.",
    footer = {
      "",
      "Only an admin may. On the machine of the control plane that is whoever can read admin.token in its",
      "state folder; docs/security.md tells of roles, enrolment and rotation.",
      "",
      "Examples:",
      "  holdfast token create --name ada --role operator --expires 30d",
      "  holdfast token enrol --nodes n[001-512] --uses 512 --expires 1h",
      "  holdfast token list",
      "  holdfast token revoke ada",
    })
final class TokenCommand implements Runnable {
  private final Console console;

  @Spec private CommandSpec spec;

  private TokenCommand(Console console) {
    this.console = console;
  }

  static CommandLine commandLine(Console console) {
    return new CommandLine(new TokenCommand(console))
        .addSubcommand(new TokenCreateCommand(console))
        .addSubcommand(new TokenEnrolCommand(console))
        .addSubcommand(new TokenListCommand(console))
        .addSubcommand(new TokenRevokeCommand(console))
        .addSubcommand(new TokenResetCommand(console));
  }

  @Override
  public void run() {
    spec.commandLine().usage(console.help());
  }
}
