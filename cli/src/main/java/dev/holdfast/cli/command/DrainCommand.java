package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.Operator;
import dev.holdfast.core.text.Hostlist;
import dev.holdfast.core.text.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Take nodes out of service. */
@Command(
    name = "drain",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Take nodes out of service.",
    footer = {
      "",
      "No new job is placed there. A job that runs may end first; with --now it leaves at once. `undrain`",
      "brings the node back after the checks that failed have passed.",
      "",
      "Examples:",
      "  holdfast drain n17 --why \"new cable\"",
      "  holdfast drain n[17-19] --now --why \"smells burnt\"",
      "  holdfast undrain n17 --why \"cable replaced\"",
    })
final class DrainCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(index = "0", paramLabel = "HOSTLIST", description = "The nodes, such as n[17-19].")
  private String hosts = "";

  @Mixin private WishOptions options = new WishOptions();

  @Option(names = "--now", description = "The job that runs there leaves at once.")
  private boolean now;

  DrainCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return options.each(
        console,
        Hostlist.expand(hosts),
        (operator, node) -> {
          operator.post(
              "/nodes/" + Operator.part(node) + "/drain", Json.map("why", options.why, "now", now));
          return WishOptions.service(operator, node);
        });
  }
}
