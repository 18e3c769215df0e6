package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.FindingKind;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** List findings. */
@Command(
    name = "findings",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "List what agents and others have found and what still holds.",
    footer = {
      "",
      "The worst first. --all also lists events and what has cleared.",
      "",
      "Examples:",
      "  holdfast findings",
      "  holdfast findings -w n17 --all",
    })
final class FindingsCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ListOptions options = new ListOptions();

  FindingsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return new Listing(console, new FindingKind(), options).show(null);
  }
}
