package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.Operator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Mark decisions as wrong. */
@Command(
    name = "wrong",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Mark decisions as wrong.",
    footer = {
      "",
      "What was wrong is counted for all to see; nothing is undone (see `undrain`).",
      "",
      "Examples:",
      "  holdfast wrong d-7 --why \"the cable was pulled by us\"",
    })
final class WrongCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(arity = "1..*", paramLabel = "ID", description = "The decisions, such as d-7.")
  private List<String> ids = List.of();

  @Mixin private WishOptions options = new WishOptions();

  WrongCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return options.each(
        console,
        ids,
        (operator, id) -> {
          operator.post("/decisions/" + Operator.part(id) + "/wrong", options.body());
          return WishOptions.stand(operator, id);
        });
  }
}
