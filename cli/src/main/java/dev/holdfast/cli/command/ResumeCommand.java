package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Let acting go on. */
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Let acting go on.",
    footer = {
      "",
      "After `holdfast pause`; with --guard after the guard stopped taking nodes out.",
      "",
      "Examples:",
      "  holdfast resume --why \"switch is back\"",
      "  holdfast resume --guard --why \"it was the power of row b\"",
    })
final class ResumeCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private WishOptions options = new WishOptions();

  @Option(names = "--guard", description = "Let the guard take nodes out again.")
  private boolean guard;

  ResumeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return guard
        ? options.one(console, "/guard/reset", "the guard lets nodes be taken out again")
        : options.one(console, "/resume", "acting goes on");
  }
}
