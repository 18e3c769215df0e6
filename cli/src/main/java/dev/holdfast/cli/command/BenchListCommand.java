package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.Ledger;
import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.network.NetText;
import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Counted;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The runs of the ledger. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "List the runs that were kept, the newest last.")
final class BenchListCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--last", paramLabel = "N", description = "Only the newest. Default: 30.")
  private int last = 30;

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  @Mixin private LedgerChoice ledger = new LedgerChoice();

  BenchListCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Ledger.Content content = ledger.use(Ledger::content);
    Map<String, String> names =
        ledger.use(Ledger::baselines).entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getValue, Map.Entry::getKey, (one, other) -> one + ", " + other));
    List<LedgerRun> runs = content.runs();
    runs = runs.subList(Math.max(0, runs.size() - Math.max(0, last)), runs.size());
    if (content.unreadable() > 0) {
      console.message(
          "%s of the ledger cannot be read and %s skipped"
              .formatted(
                  Counted.of(content.unreadable(), "line"),
                  content.unreadable() == 1 ? "is" : "are"));
    }
    if (format == TableOrJson.JSON) {
      console.answer(
          Json.pretty(
              Json.map(
                  "schema",
                  "holdfast.bench.runs/1",
                  "runs",
                  runs.stream().map(LedgerRun::tree).toList())));
      return 0;
    }
    if (runs.isEmpty()) {
      console.message("nothing is kept yet; holdfast bench import FILE begins");
      return 0;
    }
    Columns table =
        new Columns(
            Set.of(4, 5), "run", "time", "tool", "what", "results", "best", "label", "baseline");
    for (LedgerRun run : runs) {
      table.add(
          List.of(
              run.id(),
              Times.show(run.time()).substring(0, 16).replace('T', ' '),
              run.tool(),
              run.results().stream()
                  .map(it -> it.collective().word())
                  .distinct()
                  .limit(3)
                  .collect(Collectors.joining(", ")),
              Integer.toString(run.results().size()),
              run.best().map(it -> NetText.bandwidth(it.bandwidth()) + " GB/s").orElse(""),
              run.label(),
              names.getOrDefault(run.id(), "")));
    }
    console.answer(table.text(console.style()));
    return 0;
  }
}
