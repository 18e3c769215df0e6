package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.IncidentKind;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** List incidents. */
@Command(
    name = "incidents",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "List open incidents, or show one: evidence, decisions, what happened when.",
    footer = {
      "",
      "The worst first. --all also lists those that are closed.",
      "",
      "Examples:",
      "  holdfast incidents",
      "  holdfast incidents i-12",
      "  holdfast incidents --watch",
    })
final class IncidentsCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(index = "0", arity = "0..1", paramLabel = "ID", description = "Show this one.")
  private @Nullable String id;

  @Mixin private ListOptions options = new ListOptions();

  IncidentsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return new Listing(console, new IncidentKind(), options).show(id);
  }
}
