package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.Ledger;
import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.bench.ledger.Manifest;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.network.NetDiff;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.network.NetText;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Is it the same as last week? */
@Command(
    name = "trend",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Show how one figure went from run to run.",
    footer = {
      "",
      "The figure is the one of RUN with the most bus bandwidth, and every run that measured the same",
      "thing is shown, each compared with the one before as bench diff does: the change is that of the two",
      "figures, the verdict comes from their rounds. Other hosts, streams or noise make another figure:",
      "they stand behind it.",
    })
final class BenchTrendCommand implements Callable<Integer> {
  private static final int BAR = 30;

  /** More are counted. */
  private static final int HOSTS = 2;

  private final Console console;

  @Parameters(
      arity = "0..1",
      paramLabel = "RUN",
      description = "An id, a label, last. Default: last.")
  private String run = "last";

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description = "Of this size, such as 64MiB. Default: where it is fastest.")
  private String size = "";

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "Only runs in which this host took part, such as one of a rack.")
  private String host = "";

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  @Mixin private LedgerChoice ledger = new LedgerChoice();

  BenchTrendCommand(Console console) {
    this.console = console;
  }

  /** The figure in one run. */
  private record Point(LedgerRun run, NetResult result, Optional<NetDiff> change) {
    boolean noisy() {
      return run.manifest().load().stream().anyMatch(Manifest.Load::noisy);
    }

    /** Where it was measured, and how, where that is not the usual way. */
    String conditions() {
      List<String> hosts = run.manifest().hosts();
      List<String> parts = new ArrayList<>(hosts.stream().limit(HOSTS).toList());
      if (hosts.size() > HOSTS) {
        parts.add((hosts.size() - HOSTS) + " more");
      }
      String streams = run.manifest().facts().getOrDefault("streams", "1");
      if (!streams.equals("1")) {
        parts.add(streams + " streams");
      }
      return String.join(", ", parts);
    }
  }

  @Override
  public Integer call() {
    NetResult.Key key = key(ledger.find(run));
    List<LedgerRun> runs =
        ledger.use(Ledger::content).runs().stream()
            .filter(it -> host.isEmpty() || it.manifest().hosts().contains(host))
            .toList();
    List<Point> points = points(key, runs);
    if (points.isEmpty()) {
      throw new HoldfastException(
          ErrorCode.NO_RESULTS, "no run of this has the host " + host + "; see without --host");
    }
    console.answer(format == TableOrJson.JSON ? json(key, points) : text(key, points));
    return 0;
  }

  private NetResult.Key key(LedgerRun shown) {
    Comparator<NetResult> best =
        Comparator.comparingDouble(it -> it.collective().judgedByTime() ? 0 : it.bandwidth());
    return shown.results().stream()
        .filter(it -> size.isEmpty() || it.bytes() == Bytes.parse(size).count())
        .max(best)
        .map(NetResult::key)
        .orElseThrow(
            () ->
                new HoldfastException(
                    ErrorCode.NO_RESULTS, shown.id() + " has nothing of size " + size));
  }

  private static List<Point> points(NetResult.Key key, List<LedgerRun> runs) {
    List<Point> points = new ArrayList<>();
    List<LedgerRun> byTime = runs.stream().sorted(Comparator.comparing(LedgerRun::time)).toList();
    for (LedgerRun each : byTime) {
      Optional<NetResult> found =
          each.results().stream().filter(it -> it.key().equals(key)).findFirst();
      if (found.isPresent()) {
        Optional<NetDiff> change =
            points.isEmpty()
                ? Optional.empty()
                : Optional.of(
                    NetDiff.between(List.of(points.getLast().result()), List.of(found.get())));
        points.add(new Point(each, found.get(), change));
      }
    }
    return points;
  }

  private String text(NetResult.Key key, List<Point> points) {
    double most = points.stream().mapToDouble(it -> it.result().shown()).max().orElse(1);
    Columns table =
        new Columns(
            Set.of(2, 3), "run", "time", "figure", "change", "verdict", "noise", "measured on", "");
    for (Point point : points) {
      double figure = point.result().shown();
      table.add(
          List.of(
              point.run().id(),
              Times.show(point.run().time()).substring(0, 16).replace('T', ' '),
              NetText.figure(key.collective(), figure),
              point
                  .change()
                  .flatMap(it -> it.rows().stream().findFirst())
                  .map(it -> String.format(Locale.ROOT, "%+.1f %%", (it.ratio() - 1) * 100))
                  .orElse(""),
              point.change().map(it -> it.verdict().words()).orElse(""),
              point.noisy() ? "noisy" : "",
              point.conditions(),
              "█".repeat((int) Math.max(1, Math.round(BAR * figure / most)))));
    }
    return "%s, %d ranks%s\n\n%s"
        .formatted(
            NetText.what(key),
            key.ranks(),
            key.bytes() == 0 ? "" : ", " + Bytes.of(key.bytes()),
            table.text(console.style()));
  }

  private static String json(NetResult.Key key, List<Point> points) {
    return Json.pretty(
        Json.map(
            "schema",
            "holdfast.bench.trend/1",
            "collective",
            key.collective().word(),
            "variant",
            key.variant(),
            "bytes",
            key.bytes(),
            "ranks",
            key.ranks(),
            "points",
            points.stream()
                .map(
                    it ->
                        Json.map(
                            "run",
                            it.run().id(),
                            "time",
                            Times.show(it.run().time()),
                            "figure",
                            it.result().shown(),
                            "hosts",
                            it.run().manifest().hosts(),
                            "streams",
                            it.run().manifest().facts().get("streams"),
                            "noisy",
                            it.noisy(),
                            "verdict",
                            it.change().map(change -> change.verdict().words()).orElse(null)))
                .toList()));
  }
}
