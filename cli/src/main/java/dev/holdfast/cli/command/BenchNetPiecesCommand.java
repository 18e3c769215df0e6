package dev.holdfast.cli.command;

import dev.holdfast.bench.net.Element;
import dev.holdfast.bench.net.NetPlan;
import dev.holdfast.bench.net.NetSizes;
import dev.holdfast.bench.net.RankSite;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.network.NetText;
import dev.holdfast.core.network.Pieces;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Counted;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Wrap;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One large all_reduce or many small ones? */
@Command(
    name = "latency-comp",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "One large all_reduce or many small ones of the same total: which is faster here?",
    footer = {
      "",
      "The pieces lie one behind the other in a buffer of the total, as gradients do, and are reduced one after",
      "the other; each size goes over all of it. Times are compared within each round. A ratio below 1 means",
      "that the pieces are faster than the one large call.",
      "",
      "Examples:",
      "  holdfast bench net latency-comp                              256 MiB in pieces down to 16 KiB",
      "  holdfast bench net latency-comp --total 4G --transport tcp --ranks 4",
      "  holdfast bench net latency-comp --hosts n[1-4]               between hosts; also --slurm, --rdzv",
    })
final class BenchNetPiecesCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--total", paramLabel = "SIZE", description = "Of all pieces. Default: 256MiB.")
  private String total = "256MiB";

  @Option(
      names = "--smallest",
      paramLabel = "SIZE",
      description = "The smallest piece. Default: 16KiB, or a 16384th of the total.")
  private @Nullable String smallest;

  @Option(
      names = "--factor",
      paramLabel = "F",
      description = "From one size of pieces to the next. Default: 4.")
  private int factor = 4;

  @Option(
      names = "--iters",
      paramLabel = "N",
      description =
          "How often a round goes over all pieces. Default: as often as fits into a third of a second,"
              + " 5 times at least.")
  private int iterations;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      description =
          "How often before the clock runs, with --iters; without it at least so often. Default: 5"
              + " times and more, until it becomes no faster and Java's compilers rest.")
  private @Nullable Integer warmup;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds of fresh processes. Default: so many that luck is told apart.")
  private @Nullable Integer rounds;

  @Mixin private RankChoice ranks = new RankChoice();

  @Mixin private RunOutput output = new RunOutput();

  @Mixin private KeepChoice keep = new KeepChoice();

  BenchNetPiecesCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return NetMeasuring.guarded(this::measure);
  }

  private Integer measure() throws IOException {
    keep.require();
    output.prepare(true);
    long bytes = Bytes.parse(total).count();
    long least = smallest == null ? Math.max(16 << 10, bytes >> 14) : Bytes.parse(smallest).count();
    RanksChoice.Placed placed = ranks.place(false);
    NetSizes.Division division =
        NetSizes.division(bytes, least, factor, Element.FLOAT, placed.ranks());
    NetPlan plan =
        ranks.plan(
            placed,
            division.operations(),
            iterations,
            warmup == null ? NetPlan.UNTIL_WARM : warmup,
            true,
            rounds == null ? Pieces.roundsNeeded(division.operations().size()) : rounds);
    return ranks.lead(console, placed, plan, site -> measure(plan, division.total(), site));
  }

  private int measure(NetPlan plan, long whole, RankSite site) throws IOException {
    NetMeasuring.Measured measured = NetMeasuring.all(plan, site, console);
    Pieces pieces = Pieces.of(whole, measured.outcome().results());
    return keep.answered(
        console,
        measured.manifest(),
        pieces.results(),
        measured.notes(),
        run -> {
          output.write(
              console, run, () -> text(plan, pieces, measured), () -> json(pieces, measured));
          return measured.code();
        });
  }

  private static String json(Pieces pieces, NetMeasuring.Measured measured) {
    Map<String, @Nullable Object> tree = Json.map("schema", "holdfast.bench.pieces/1");
    tree.putAll(pieces.tree());
    tree.put("manifest", measured.manifest().tree());
    tree.put("notes", measured.notes());
    return Json.pretty(tree);
  }

  private String text(NetPlan plan, Pieces pieces, NetMeasuring.Measured measured) {
    Columns table =
        new Columns(
            Set.of(0, 1, 2, 3, 4, 5),
            "piece",
            "count",
            "all take",
            "ratio",
            "from",
            "to",
            "algorithm",
            "");
    for (Pieces.Row row : pieces.rows()) {
      table.add(
          List.of(
              Bytes.of(row.result().bytes()).toString(),
              Long.toString(row.count()),
              NetText.time(row.seconds()),
              ratio(row.ratio()),
              ratio(row.low()),
              ratio(row.high()),
              row.result().variant(),
              row.equals(pieces.best()) ? "fastest" : " "));
    }
    return "%d ranks over %s, %s in all, %s\n\n%s\n%s\n%s"
        .formatted(
            plan.ranks(),
            plan.transport().word(),
            Bytes.of(pieces.total()),
            Counted.of(pieces.rounds(), "round"),
            table.text(console.style()),
            Wrap.hanging(pieces.words(), 0, console.width()),
            NetMeasuring.remarks(measured, console));
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
