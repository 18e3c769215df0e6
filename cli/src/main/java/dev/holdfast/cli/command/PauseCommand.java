package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stop all acting at once. */
@Command(
    name = "pause",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Stop all acting at once.",
    footer = {
      "",
      "Nothing is done to any node until `holdfast resume`. What agents report is still taken in and judged.",
      "",
      "Examples:",
      "  holdfast pause --why \"switch maintenance\"",
    })
final class PauseCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private WishOptions options = new WishOptions();

  PauseCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return options.one(console, "/pause", "paused: decisions are still made, nothing is done");
  }
}
