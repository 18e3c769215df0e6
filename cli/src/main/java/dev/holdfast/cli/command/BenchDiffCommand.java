package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.network.NetDiff;
import dev.holdfast.core.network.NetText;
import dev.holdfast.core.network.Verdict;
import dev.holdfast.core.statistics.Change;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Wrap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Is the second run slower than the first? */
@Command(
    name = "diff",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Compare two runs: slower, faster, or nobody can tell.",
    footer = {
      "",
      "Rounds are compared by the test of Mann and Whitney: a difference counts when luck makes one like",
      "it at most once in a hundred and it is at least 1 %%. That needs at least 5 rounds of each. Where",
      "nobody can tell, the smallest loss is named that would have been noticed.",
      "Change is that of the two figures beside it; by rounds is the middle of the ratios of all pairs of",
      "rounds, which a few odd rounds do not move, and what verdicts and --fail-below go by.",
      "With one RUN it is compared with the baseline. Exit code 0 whatever the verdict, unless",
      "--fail-below or --fail-slower says otherwise.",
      "",
      "Examples:",
      "  holdfast bench diff last~1 last",
      "  holdfast bench diff last --fail-below 0.9x        against the baseline, in a script",
    })
final class BenchDiffCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      arity = "1..2",
      paramLabel = "RUN",
      description = "Ids or their beginnings, labels, baselines, last, last~2.")
  private List<String> runs = List.of();

  @Mixin private FailBelow failBelow = new FailBelow();

  @Option(names = "--fail-slower", description = "Exit with 1 when the verdict is slower.")
  private boolean failSlower;

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Draw both runs too, one over the other; - for standard output alone.")
  private @Nullable String svg;

  @Mixin private AgentReport report = new AgentReport();

  @Mixin private LedgerChoice ledger = new LedgerChoice();

  BenchDiffCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    report.require(failBelow.asked() || failSlower, "--fail-below or --fail-slower");
    failBelow.require();
    LedgerRun first =
        ledger.find(runs.size() == 2 ? runs.getFirst() : BenchBaselineCommand.DEFAULT);
    LedgerRun second = ledger.find(runs.getLast());
    report.requireHere(second);
    NetDiff diff = NetDiff.between(first.results(), second.results());
    if (diff.rows().isEmpty()) {
      throw new HoldfastException(
          ErrorCode.BAD_RESULTS,
          first.id() + " and " + second.id() + " have measured nothing in common");
    }
    if (svg != null) {
      PictureFile.write(RunOutput.picture(List.of(first, second)), svg, console);
    }
    Optional<String> loss = failBelow.loss(Optional.of(diff), second);
    answer(first, second, diff, loss);
    List<String> losses = new ArrayList<>(loss.stream().toList());
    if (failSlower && diff.verdict() == Verdict.SLOWER) {
      losses.add(sentence(diff));
    }
    report.tell(second, losses, console);
    return losses.isEmpty() ? 0 : 1;
  }

  /** What fails the script is said: in the table, else beside what programs read. */
  private void answer(LedgerRun first, LedgerRun second, NetDiff diff, Optional<String> loss) {
    boolean drawn = PictureFile.ANSWER.equals(svg);
    if (format == TableOrJson.TABLE && !drawn) {
      console.answer(
          text(first, second, diff) + loss.map(it -> "Too little: " + it + ".\n").orElse(""));
      return;
    }
    if (!drawn) {
      console.answer(json(first, second, diff));
    }
    loss.ifPresent(it -> console.message("too little: " + it));
  }

  private static String json(LedgerRun first, LedgerRun second, NetDiff diff) {
    Map<String, @Nullable Object> tree =
        Json.map(
            "schema", "holdfast.bench.diff/1",
            "first", first.id(),
            "second", second.id(),
            "conditions",
                first.manifest().differences(second.manifest()).stream()
                    .map(it -> Json.map("name", it[0], "first", it[1], "second", it[2]))
                    .toList());
    tree.putAll(diff.tree());
    return Json.pretty(tree);
  }

  private String text(LedgerRun first, LedgerRun second, NetDiff diff) {
    StringBuilder out = new StringBuilder();
    out.append("first   ").append(title(first)).append('\n');
    out.append("second  ").append(title(second)).append("\n\n");
    Columns table =
        new Columns(
            Set.of(1, 2, 3, 4, 5, 6, 7),
            "what",
            "ranks",
            "size",
            "first",
            "second",
            "change",
            "by rounds",
            "rounds",
            "verdict");
    for (NetDiff.Row row : diff.rows()) {
      table.add(
          List.of(
              NetText.what(row.key()),
              Integer.toString(row.key().ranks()),
              row.key().bytes() == 0 ? "" : Bytes.of(row.key().bytes()).toString(),
              NetText.figure(row.key().collective(), row.first()),
              NetText.figure(row.key().collective(), row.second()),
              percent(row.ratio()),
              byRounds(row),
              Integer.toString(row.rounds()),
              verdict(row)));
    }
    out.append(table.text(console.style())).append('\n');
    for (String[] difference : first.manifest().differences(second.manifest())) {
      out.append(
              Wrap.hanging(
                  "differs: %s: %s, then %s".formatted((Object[]) difference), 4, console.width()))
          .append('\n');
    }
    out.append(Wrap.hanging(sentence(diff), 0, console.width())).append('\n');
    return out.toString();
  }

  private static String title(LedgerRun run) {
    return String.join(
        "  ",
        List.of(run.id(), run.tool(), String.join(",", run.manifest().hosts()), run.label())
            .stream()
            .filter(it -> !it.isEmpty())
            .toList());
  }

  /** The middle of the ratios of all pairs of rounds; with one round it is the change itself. */
  private static String byRounds(NetDiff.Row row) {
    if (Math.max(row.before().size(), row.after().size()) < 2) {
      return "";
    }
    String middle = percent(row.change().ratio());
    return row.rounds() < Change.FEWEST
        ? middle
        : "%s (%s to %s)"
            .formatted(middle, percent(row.change().low()), percent(row.change().high()));
  }

  private static String verdict(NetDiff.Row row) {
    if (row.verdict() != Verdict.CANNOT_TELL) {
      return row.verdict().words();
    }
    if (row.rounds() < Change.FEWEST) {
      return "too few rounds to tell";
    }
    if (row.tooFewRounds()) {
      return "takes %d rounds to tell".formatted(row.roundsNeeded());
    }
    double smallest = row.smallest();
    if (Double.isNaN(smallest)) {
      return "cannot tell, whatever the loss";
    }
    return row.change().ratio() < 1 - smallest
        ? row.verdict().words()
        : String.format(Locale.ROOT, "cannot tell below %.1f %%", smallest * 100);
  }

  private static String sentence(NetDiff diff) {
    String all = diff.rows().size() == 1 ? "" : " over " + diff.rows().size() + " figures";
    String moved = percent(diff.ratio()) + " by its rounds" + all;
    if (diff.verdict() == Verdict.CANNOT_TELL) {
      double smallest = diff.smallest();
      boolean few =
          diff.overall().isEmpty() && diff.rows().stream().allMatch(NetDiff.Row::tooFewRounds);
      return "Cannot tell: %s, %s"
          .formatted(
              moved,
              few
                  ? "but fewer than "
                      + Change.FEWEST
                      + " rounds of every figure cannot be told from luck."
                  : Double.isNaN(smallest)
                      ? "and no loss would have been noticed in this noise."
                      : String.format(
                          Locale.ROOT,
                          "which luck makes too. The smallest loss that would have been noticed: %.1f %%.",
                          smallest * 100));
    }
    long slower = diff.rows().stream().filter(it -> it.verdict() == Verdict.SLOWER).count();
    long faster = diff.rows().stream().filter(it -> it.verdict() == Verdict.FASTER).count();
    return "The second run is %s: %s; %d slower, %d faster, %d cannot be told."
        .formatted(
            diff.verdict().words(), moved, slower, faster, diff.rows().size() - slower - faster);
  }

  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%+.1f %%", (ratio - 1) * 100);
  }
}
