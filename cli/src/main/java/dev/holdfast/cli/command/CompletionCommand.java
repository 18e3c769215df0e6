package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** What the TAB key needs to know. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = "Print a completion script for a shell.",
    footer = {
      "",
      "  bash:  source <(holdfast completion bash)",
      "  zsh:   source <(holdfast completion zsh)",
      "  fish:  holdfast completion fish | source",
    })
final class CompletionCommand implements Callable<Integer> {
  /** The shells we know. */
  enum Shell {
    BASH,
    ZSH,
    FISH
  }

  private static final Pattern CHOICES = Pattern.compile("(?m)(?<=_option_args=)\\(.*\\)");

  private final Console console;

  @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish")
  private Shell shell = Shell.BASH;

  CompletionCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    CommandLine root = RootCommand.commandLine(console);
    console.answer(
        switch (shell) {
          case BASH -> bash(root);
          case ZSH ->
              "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"
                  + bash(root);
          case FISH -> FishCompletion.of(root.getCommandSpec());
        });
    return 0;
  }

  /** The choices are Java's constants; people write them small, and we take them so. */
  private static String bash(CommandLine root) {
    return CHOICES
        .matcher(AutoComplete.bash("holdfast", root))
        .replaceAll(found -> Matcher.quoteReplacement(found.group().toLowerCase(Locale.ROOT)));
  }
}
