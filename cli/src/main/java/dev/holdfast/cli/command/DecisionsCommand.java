package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.DecisionKind;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** List decisions. */
@Command(
    name = "decisions",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "List decisions that are open, or show one: the reason, what else was weighed, what came of it.",
    footer = {
      "",
      "Those that wait for a person first. --all also lists those that are settled.",
      "",
      "Examples:",
      "  holdfast decisions",
      "  holdfast decisions d-7",
      "  holdfast approve d-7 --why \"seen on the console\"",
    })
final class DecisionsCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(index = "0", arity = "0..1", paramLabel = "ID", description = "Show this one.")
  private @Nullable String id;

  @Mixin private ListOptions options = new ListOptions();

  DecisionsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return new Listing(console, new DecisionKind(), options).show(id);
  }
}
