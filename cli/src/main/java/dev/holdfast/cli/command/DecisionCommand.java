package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.Operator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What a person says of decisions, one after the other. */
abstract class DecisionCommand implements Callable<Integer> {
  private final Console console;
  private final String verb;

  @Parameters(arity = "1..*", paramLabel = "ID", description = "The decisions, such as d-7.")
  private List<String> ids = List.of();

  @Mixin private WishOptions options = new WishOptions();

  /**
   * @param verb the last part of the path that is asked
   */
  DecisionCommand(Console console, String verb) {
    this.console = console;
    this.verb = verb;
  }

  @Override
  public Integer call() {
    return options.each(
        console,
        ids,
        (operator, id) -> {
          operator.post("/decisions/" + Operator.part(id) + "/" + verb, options.body());
          return WishOptions.stand(operator, id);
        });
  }
}
