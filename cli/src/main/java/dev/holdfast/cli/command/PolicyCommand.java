package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The rules by which the control plane decides. */
@Command(
    name = "policy",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    description = "Look at the rules by which the control plane decides, prove and try them.",
    footer = {
      "",
      "docs/policy.md says how to write a policy.",
      "",
      "Examples:",
      "  holdfast policy show                          the rules that come with Holdfast",
      "  holdfast policy show --format yaml > site.yaml  to begin your own with",
      "  holdfast policy lint site.yaml --nodes 512    is it sound for that many nodes",
      "  holdfast policy replay --with site.yaml       what it would have decided so far",
    })
final class PolicyCommand implements Runnable {
  private final Console console;

  @Spec private CommandSpec spec;

  private PolicyCommand(Console console) {
    this.console = console;
  }

  static CommandLine commandLine(Console console) {
    return new CommandLine(new PolicyCommand(console))
        .addSubcommand(new PolicyShowCommand(console))
        .addSubcommand(new PolicyLintCommand(console))
        .addSubcommand(new PolicyReplayCommand(console));
  }

  @Override
  public void run() {
    spec.commandLine().usage(console.help());
  }
}
