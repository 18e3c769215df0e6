package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import picocli.CommandLine.Command;

/** Say no to decisions. */
@Command(
    name = "reject",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Say no to decisions.",
    footer = {
      "",
      "The decision is kept with your reason and not carried out.",
      "",
      "Examples:",
      "  holdfast reject d-7 --why \"node is being moved\"",
    })
final class RejectCommand extends DecisionCommand {
  RejectCommand(Console console) {
    super(console, "reject");
  }
}
