package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.Operator;
import dev.holdfast.core.text.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** End a token. */
@Command(
    name = "revoke",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "End a token or an enrolment; it is refused from now on.",
    footer = {
      "",
      "Examples:",
      "  holdfast token revoke ada",
      "  holdfast token revoke t-1a2b3c4d",
    })
final class TokenRevokeCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(index = "0", paramLabel = "WHICH", description = "Its id, or the name of its holder.")
  private String which = "";

  @Mixin private ServerChoice server = new ServerChoice();

  TokenRevokeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (Operator operator = new Operator(server.open())) {
      operator.post("/tokens/" + Operator.part(which) + "/revoke", Json.map());
    }
    console.answer(which + ": revoked\n");
    return 0;
  }
}
