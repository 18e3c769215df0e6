package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.Ledger;
import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Columns;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What other runs are compared with. */
@Command(
    name = "baseline",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Say which run others are compared with.",
    footer = {
      "",
      "Examples:",
      "  holdfast bench baseline                        the names and their runs",
      "  holdfast bench baseline set last               bench diff RUN compares with it",
      "  holdfast bench baseline set 20261115-1800 rack7",
      "  holdfast bench baseline clear rack7",
    })
final class BenchBaselineCommand implements Callable<Integer> {
  /** The name that is meant when none is given. */
  static final String DEFAULT = "baseline";

  /** What to do. */
  enum Deed {
    LIST,
    SET,
    CLEAR
  }

  private final Console console;

  @Parameters(index = "0", arity = "0..1", paramLabel = "set|clear", description = "What to do.")
  private Deed deed = Deed.LIST;

  @Parameters(
      index = "1..*",
      arity = "0..2",
      paramLabel = "RUN|NAME",
      description = "For set: a run and, if wanted, a name. For clear: the name.")
  private List<String> words = List.of();

  @Mixin private LedgerChoice ledger = new LedgerChoice();

  BenchBaselineCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    switch (deed) {
      case LIST -> list();
      case SET -> {
        LedgerRun run = ledger.find(words.isEmpty() ? "last" : words.getFirst());
        String name = words.size() > 1 ? words.get(1) : DEFAULT;
        change(name, run.id());
        console.answer(name + " is " + run.id() + "\n");
      }
      case CLEAR -> {
        String name = words.isEmpty() ? DEFAULT : words.getFirst();
        requireBaseline(name);
        change(name, "");
        console.answer(name + " is no baseline any more\n");
      }
    }
    return 0;
  }

  private void requireBaseline(String name) {
    Map<String, String> baselines = ledger.use(Ledger::baselines);
    if (!baselines.containsKey(name)) {
      throw new HoldfastException(
          ErrorCode.NO_RESULTS,
          "no baseline '%s' (%s)"
              .formatted(
                  name,
                  baselines.isEmpty()
                      ? "there is none"
                      : "there are: " + String.join(", ", baselines.keySet())));
    }
  }

  private void change(String name, String id) {
    ledger.use(
        it -> {
          it.baseline(name, id);
          return id;
        });
  }

  private void list() {
    Map<String, String> baselines = ledger.use(Ledger::baselines);
    if (baselines.isEmpty()) {
      console.message("no baseline; holdfast bench baseline set RUN makes one");
      return;
    }
    Columns table = new Columns(Set.of(), "name", "run");
    baselines.forEach((name, id) -> table.add(List.of(name, id)));
    console.answer(table.text(console.style()));
  }
}
