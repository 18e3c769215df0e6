package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.Operator;
import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Who holds a token. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Tell who holds a token and when it was last used. Tokens themselves are not known.",
    footer = {"", "Examples:", "  holdfast token list", "  holdfast token list --format json"})
final class TokenListCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ServerChoice server = new ServerChoice();

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  TokenListCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Map<String, @Nullable Object> answer;
    try (Operator operator = new Operator(server.open())) {
      answer = operator.get("/tokens");
    }
    if (format == TableOrJson.JSON) {
      console.answer(Json.pretty(answer));
      return 0;
    }
    Fields all = Fields.of("tokens", answer);
    Columns table = new Columns(Set.of(), "id", "name", "role", "expires", "last used");
    for (Fields it : all.objects("tokens")) {
      table.add(
          List.of(
              it.text("id"),
              it.text("name"),
              it.text("role"),
              it.text("expires", "never"),
              it.text("lastUsed", "not since the start")));
    }
    for (Fields it : all.objects("enrolments")) {
      table.add(
          List.of(
              it.text("id"),
              it.text("nodes", "any node"),
              "enrols " + it.integer("uses") + " more",
              it.text("expires"),
              ""));
    }
    console.answer(table.text(console.style()));
    return 0;
  }
}
