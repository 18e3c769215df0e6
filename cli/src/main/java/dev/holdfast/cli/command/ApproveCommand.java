package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import picocli.CommandLine.Command;

/** Let decisions be carried out. */
@Command(
    name = "approve",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Let decisions be carried out.",
    footer = {
      "",
      "For decisions that ask, are recommended or are held back; `holdfast decisions` lists them.",
      "",
      "Examples:",
      "  holdfast approve d-7 --why \"seen on the console\"",
    })
final class ApproveCommand extends DecisionCommand {
  ApproveCommand(Console console) {
    super(console, "approve");
  }
}
