package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import picocli.CommandLine.Command;

/** Mark decisions as wrong. */
@Command(
    name = "wrong",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Mark decisions as wrong.",
    footer = {
      "",
      "What was wrong is counted for all to see; nothing is undone (see `undrain`).",
      "",
      "Examples:",
      "  holdfast wrong d-7 --why \"the cable was pulled by us\"",
    })
final class WrongCommand extends DecisionCommand {
  WrongCommand(Console console) {
    super(console, "wrong");
  }
}
