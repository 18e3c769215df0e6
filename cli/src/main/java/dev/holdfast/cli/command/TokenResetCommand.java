package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.Operator;
import dev.holdfast.core.text.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Free the name of a node. */
@Command(
    name = "reset-node",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Let another machine become a node: the token of the one that was it ends.",
    footer = {
      "",
      "Wanted after a node was installed anew or its board replaced; the new one then enrols.",
      "",
      "Examples:",
      "  holdfast token reset-node n17",
    })
final class TokenResetCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(index = "0", paramLabel = "NODE", description = "The name of the node.")
  private String which = "";

  @Mixin private ServerChoice server = new ServerChoice();

  TokenResetCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (Operator operator = new Operator(server.open())) {
      operator.post("/nodes/" + Operator.part(which) + "/reset", Json.map());
    }
    console.answer(which + ": may be enrolled again\n");
    return 0;
  }
}
