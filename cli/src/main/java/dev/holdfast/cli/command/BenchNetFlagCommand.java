package dev.holdfast.cli.command;

import dev.holdfast.bench.net.DoneFlag;
import dev.holdfast.bench.net.NetPlan;
import dev.holdfast.bench.net.RankSite;
import dev.holdfast.bench.net.Transport;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.network.NetText;
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

/** What asking "is anybody done?" costs. */
@Command(
    name = "done-flag",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "What does it cost to ask all ranks whether they are done, and which way is cheapest?",
    footer = {
      "",
      "Programs that stop together exchange a flag after every step. Gathered as an object it is written, its",
      "length is gathered, then its bytes, and all of them are read; gathered as a tensor only its bytes go",
      "round; reduced it is one number for all. Ratios are to reducing, within each round. Over nccl the flag",
      "comes from the program's own memory, and the answer is back there when the clock stops.",
      "",
      "Example:",
      "  holdfast bench net done-flag --ranks 4 --transport tcp",
    })
final class BenchNetFlagCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--iters",
      paramLabel = "N",
      description = "Measured calls a round. Default: 0, as many as fit into a third of a second.")
  private int iterations;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      description =
          "Calls before the clock runs, with --iters; without it at least so many. Default: 5 and"
              + " more, until they become no faster and Java's compilers rest.")
  private @Nullable Integer warmup;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds of fresh processes. Default: 6.")
  private int rounds = 6;

  @Mixin private RankChoice ranks = new RankChoice();

  @Mixin private RunOutput output = new RunOutput();

  @Mixin private KeepChoice keep = new KeepChoice();

  BenchNetFlagCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return NetMeasuring.guarded(this::measure);
  }

  private Integer measure() throws IOException {
    keep.require();
    output.prepare(true);
    RanksChoice.Placed placed = ranks.place(false);
    Transport carrier = ranks.transport(placed.ranks());
    if (carrier == Transport.MPI) {
      throw new IllegalArgumentException("--transport: done-flag is not measured over mpi");
    }
    NetPlan plan =
        ranks.plan(
            placed,
            DoneFlag.operations(placed.ranks(), carrier),
            iterations,
            warmup == null ? NetPlan.UNTIL_WARM : warmup,
            true,
            rounds);
    return ranks.lead(console, placed, plan, site -> measure(plan, site));
  }

  private int measure(NetPlan plan, RankSite site) throws IOException {
    NetMeasuring.Measured measured = NetMeasuring.all(plan, site, console);
    DoneFlag flag = DoneFlag.of(measured.outcome().results());
    return keep.answered(
        console,
        measured.manifest(),
        measured.outcome().results(),
        measured.notes(),
        run -> {
          output.write(console, run, () -> text(plan, flag, measured), () -> json(flag, measured));
          return measured.code();
        });
  }

  private static String json(DoneFlag flag, NetMeasuring.Measured measured) {
    Map<String, @Nullable Object> tree = Json.map("schema", "holdfast.bench.doneflag/1");
    tree.putAll(flag.tree());
    tree.put("manifest", measured.manifest().tree());
    tree.put("notes", measured.notes());
    return Json.pretty(tree);
  }

  private String text(NetPlan plan, DoneFlag flag, NetMeasuring.Measured measured) {
    Columns table =
        new Columns(Set.of(1, 2, 3, 4, 5, 6), "way", "time", "p50", "p99", "ratio", "from", "to");
    for (DoneFlag.Row row : flag.rows()) {
      table.add(
          List.of(
              row.way(),
              NetText.time(row.seconds()),
              NetText.time(row.result().latency().p50()),
              NetText.time(row.result().latency().p99()),
              ratio(row.ratio()),
              ratio(row.low()),
              ratio(row.high())));
    }
    return "%s over %s, %s\n\n%s\n%s\n%s"
        .formatted(
            Counted.of(plan.ranks(), "rank"),
            plan.transport().word(),
            Counted.of(flag.rounds(), "round"),
            table.text(console.style()),
            Wrap.hanging(flag.words(), 0, console.width()),
            NetMeasuring.remarks(measured, console));
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
