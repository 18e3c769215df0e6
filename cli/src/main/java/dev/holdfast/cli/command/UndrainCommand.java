package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.Operator;
import dev.holdfast.core.text.Hostlist;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Bring nodes back into service. */
@Command(
    name = "undrain",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Bring nodes back into service.",
    footer = {
      "",
      "A drained node is verified first: it takes jobs again once the checks that failed have passed. A",
      "node that was still draining stays in service.",
      "",
      "Examples:",
      "  holdfast undrain n17 --why \"cable replaced\"",
    })
final class UndrainCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(index = "0", paramLabel = "HOSTLIST", description = "The nodes, such as n[17-19].")
  private String hosts = "";

  @Mixin private WishOptions options = new WishOptions();

  UndrainCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return options.each(
        console,
        Hostlist.expand(hosts),
        (operator, node) -> {
          operator.post("/nodes/" + Operator.part(node) + "/undrain", options.body());
          return WishOptions.service(operator, node);
        });
  }
}
