package dev.holdfast.cli.command;

import dev.holdfast.bench.net.NetComparison;
import dev.holdfast.bench.net.NetPlan;
import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Counted;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Our all_reduce beside those of others. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measure our all_reduce beside gloo's and Open MPI's, where they are installed.",
    footer = {
      "",
      "Every program has its turn with each size in each round, with fresh processes; the medians of its calls",
      "are compared within the round. A ratio above 1 means that ours is faster. A turn during which a",
      "hypervisor moved the cores apart is taken again, whosever it was, and it is said. Needs a checkout and an",
      "idle machine. Debian: gcc for the same ring in C, python3-torch for gloo, openmpi-bin and libopenmpi-dev",
      "for Open MPI; libtorch 2.10's gloo once `mvn -Pfast,peers -pl peers -am package` was run there (110 MB).",
      "",
      "Example:",
      "  holdfast bench net compare --rounds 3 --sizes 1K,64K,1M,64M",
    })
final class BenchNetCompareCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--ranks", paramLabel = "N", description = "How many processes. Default: 2.")
  private int ranks = 2;

  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "SIZE",
      description = "Default: 1K,64K,256K,1M,4M,16M,64M,256M.")
  private List<String> sizes = List.of("1K", "64K", "256K", "1M", "4M", "16M", "64M", "256M");

  @Option(names = "--rounds", paramLabel = "N", description = "Default: 9.")
  private int rounds = 9;

  @Option(
      names = "--python",
      paramLabel = "PROGRAM",
      description = "A Python that has torch. Default: /usr/bin/python3.")
  private String python = "/usr/bin/python3";

  @Mixin private Checkout checkout = new Checkout();

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  BenchNetCompareCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try {
      if (ranks < 2 || ranks > NetPlan.MOST_RANKS || rounds < 1) {
        throw new IllegalArgumentException("at least 2 ranks and 1 round are needed");
      }
      List<Long> bytes = sizes.stream().map(it -> Bytes.parse(it).count() / 4 * 4).toList();
      return Interruptible.run(console, () -> measure(bytes));
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, String.valueOf(wrong.getMessage()), wrong);
    } catch (IOException cannot) {
      throw new HoldfastException(ErrorCode.CANNOT_MEASURE, Failures.why(cannot), cannot);
    }
  }

  private int measure(List<Long> bytes) throws IOException {
    NetComparison.Result result =
        NetComparison.run(checkout.folder(), python, ranks, bytes, rounds, console::message);
    Interruptible.answering();
    console.answer(format == TableOrJson.JSON ? json(result) : table(result));
    if (result.failure().isPresent()) {
      throw result.failure().get();
    }
    return 0;
  }

  private String table(NetComparison.Result result) {
    Columns table =
        new Columns(
            Set.of(1, 2, 3, 4, 5),
            "all_reduce",
            "size",
            "ours",
            "theirs",
            "ratio",
            "lowest",
            "highest");
    for (NetComparison.Row row : result.rows()) {
      table.add(
          List.of(
              row.transport() + " beside " + row.peer(),
              Bytes.of(row.bytes()).toString(),
              "%.3f".formatted(row.ours()),
              "%.3f".formatted(row.theirs()),
              "%.2f".formatted(row.ratio()[0]),
              "%.2f".formatted(row.ratio()[1]),
              "%.2f".formatted(row.ratio()[2])));
    }
    StringBuilder text = new StringBuilder(table.text(console.style()));
    text.append(
        "\n%d ranks; busbw in GB/s from the medians of %s; ratios are of the same round\n"
            .formatted(result.ranks(), Counted.of(result.rounds(), "round")));
    notes(result).forEach(it -> text.append(it).append('\n'));
    result.missing().forEach(it -> text.append("not compared with ").append(it).append('\n'));
    return text.toString();
  }

  private static List<String> notes(NetComparison.Result result) {
    return Stream.concat(
            result.notes().stream(),
            result.failure().map(it -> "ended early: " + Failures.why(it)).stream())
        .toList();
  }

  private static String json(NetComparison.Result result) {
    return Json.pretty(
        Json.map(
            "schema",
            "holdfast.bench.net.compare/1",
            "ranks",
            result.ranks(),
            "rounds",
            result.rounds(),
            "rows",
            result.rows().stream()
                .map(
                    it ->
                        Json.map(
                            "peer", it.peer(),
                            "transport", it.transport(),
                            "bytes", it.bytes(),
                            "busbw", it.ours(),
                            "peerBusbw", it.theirs(),
                            "ratio", it.ratio()[0],
                            "lowest", it.ratio()[1],
                            "highest", it.ratio()[2]))
                .toList(),
            "notes",
            notes(result),
            "missing",
            result.missing()));
  }
}
