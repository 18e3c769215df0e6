package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.Operator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Let decisions be carried out. */
@Command(
    name = "approve",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Let decisions be carried out.",
    footer = {
      "",
      "For decisions that ask, are recommended or are held back; `holdfast decisions` lists them.",
      "",
      "Examples:",
      "  holdfast approve d-7 --why \"seen on the console\"",
    })
final class ApproveCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(arity = "1..*", paramLabel = "ID", description = "The decisions, such as d-7.")
  private List<String> ids = List.of();

  @Mixin private WishOptions options = new WishOptions();

  ApproveCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return options.each(
        console,
        ids,
        (operator, id) -> {
          operator.post("/decisions/" + Operator.part(id) + "/approve", options.body());
          return WishOptions.stand(operator, id);
        });
  }
}
