package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.Operator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Say no to decisions. */
@Command(
    name = "reject",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Say no to decisions.",
    footer = {
      "",
      "The decision is kept with your reason and not carried out.",
      "",
      "Examples:",
      "  holdfast reject d-7 --why \"node is being moved\"",
    })
final class RejectCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(arity = "1..*", paramLabel = "ID", description = "The decisions, such as d-7.")
  private List<String> ids = List.of();

  @Mixin private WishOptions options = new WishOptions();

  RejectCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return options.each(
        console,
        ids,
        (operator, id) -> {
          operator.post("/decisions/" + Operator.part(id) + "/reject", options.body());
          return WishOptions.stand(operator, id);
        });
  }
}
