package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.Operator;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Make a token for a person or a script. */
@Command(
    name = "create",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Make a token; it is shown once and kept only as its hash.",
    footer = {
      "",
      "A viewer looks; an operator also drains, approves and pauses; an admin also lets others in. A script",
      "that reports needs the role agent and the one source it speaks for.",
      "",
      "Examples:",
      "  holdfast token create --name ada --role operator --expires 30d",
      "  holdfast token create --name prometheus --role viewer > prometheus.token",
      "  holdfast token create --name rackmon --role agent --source site/rackmon",
    })
final class TokenCreateCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--name", required = true, paramLabel = "NAME", description = "Of its holder.")
  private String name = "";

  @Option(
      names = "--role",
      required = true,
      paramLabel = "ROLE",
      description = "viewer, operator, admin or agent.")
  private String role = "";

  @Option(
      names = "--source",
      paramLabel = "SOURCE",
      description = "What an agent speaks for, such as site/rackmon.")
  private @Nullable String source;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description = "How long it holds, such as 30d. Default: until it is revoked.")
  private @Nullable String expires;

  @Mixin private ServerChoice server = new ServerChoice();

  TokenCreateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (Operator operator = new Operator(server.open())) {
      Fields made =
          Fields.of(
              "token",
              operator.ask(
                  "/tokens",
                  Json.map("name", name, "role", role, "source", source, "expires", expires)));
      console.answer(made.text("token") + "\n");
      console.message(
          "%s for %s, %s; it is not shown again"
              .formatted(
                  made.text("role"),
                  name,
                  made.optionalText("expires").map(it -> "until " + it).orElse("until revoked")));
      return 0;
    }
  }
}
