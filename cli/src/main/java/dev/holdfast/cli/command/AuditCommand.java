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

/** Who acted. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Tell who acted through the control plane or was refused, the newest first.",
    footer = {
      "",
      "Only an admin may. The lines are in audit.jsonl and refused.jsonl in the state folder, too; what",
      "came of an action is in the timeline of its incident.",
      "",
      "Examples:",
      "  holdfast audit",
      "  holdfast audit --limit 1000 --format json",
    })
final class AuditCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--limit", paramLabel = "N", description = "How many, at most 1000. Default: 50.")
  private int limit = 50;

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  @Mixin private ServerChoice server = new ServerChoice();

  AuditCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Map<String, @Nullable Object> answer;
    try (Operator operator = new Operator(server.open())) {
      answer = operator.get("/audit?limit=" + limit);
    }
    if (format == TableOrJson.JSON) {
      console.answer(Json.pretty(answer));
      return 0;
    }
    Columns table = new Columns(Set.of(), "at", "who", "role", "from", "what", "outcome");
    for (Fields it : Fields.of("audit", answer).objects("audit")) {
      table.add(
          List.of(
              it.text("at"),
              it.text("actor"),
              it.text("role"),
              it.text("peer"),
              it.text("what").replace("/api/v1", ""),
              it.integer("outcome") + (it.has("why") ? " " + it.text("why") : "")));
    }
    console.answer(table.text(console.style()));
    return 0;
  }
}
