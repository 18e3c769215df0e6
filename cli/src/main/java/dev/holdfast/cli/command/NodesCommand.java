package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.NodeKind;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** List the nodes of the cluster. */
@Command(
    name = "nodes",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "List the nodes that need a look, or show one with all that is known of it.",
    footer = {
      "",
      "Silent nodes first, then by the worst that was found. --all also lists nodes that are in order.",
      "",
      "Examples:",
      "  holdfast nodes",
      "  holdfast nodes n17",
      "  holdfast nodes -w gpu[001-016] --watch",
      "  holdfast nodes --all --format json | jq -r .nodes[].node",
    })
final class NodesCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "NODE",
      description = "Show this one: findings, decisions, notes.")
  private @Nullable String id;

  @Mixin private ListOptions options = new ListOptions();

  NodesCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return new Listing(console, new NodeKind(), options).show(id);
  }
}
