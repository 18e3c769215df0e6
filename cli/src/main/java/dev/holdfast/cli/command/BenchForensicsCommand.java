package dev.holdfast.cli.command;

import dev.holdfast.bench.flight.FlightScore;
import dev.holdfast.bench.flight.LargeJob;
import dev.holdfast.bench.stacks.MergeBench;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How often is a diagnosis right, and how fast is it? */
@Command(
    name = "forensics",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Try holdfast diagnose on jobs whose fault is known, and measure how fast it is.",
    footer = {
      "",
      "Each case is a job in data, tensor, pipeline and expert parallel groups, rehearsed until nothing",
      "moves: a hang, a crash, a stuck device, a wrong call, a lost network, a slow rank, or nothing.",
      "Some dumps are lost or broken. Whether what is left tells who did it is decided when the case is",
      "made. Exact: of those that can be told, the blamed ranks are the ones that did it. Innocent: of all,",
      "a rank is blamed that did nothing. Right: exact, or 'cannot tell' where it cannot be told.",
      "",
      "With --logs the cases are logs instead of dumps: of ranks, schedulers and kernels, with clocks that",
      "differ, files that are lost and trouble that was survived; then how fast logs are read, and a folder",
      "with one log for each of 10,000 ranks (--ranks), which is deleted afterwards.",
      "",
      "With --posted they are texts that people posted, with what was found to be the cause. Right: the",
      "class fits, and nobody else is named than the text tells. A run that is well and accused is wrong.",
      "",
      "With --kernel they are lines of kernel logs, each decoded alone: a table with a header and the columns",
      "address, line, code, device, action, severity, note, separated by tabs. Code: 'xid 79', 'sxid 20034',",
      "'harmless', or a kind such as fell-off-bus or oom-kill. Action: NVIDIA's word for what to do at once.",
      "Right: code or kind, device, and of an Xid what to do; a harmless line that is no warning. Lines whose",
      "note says that they come from a test, an example or an injection are counted apart ('made').",
      "",
      "Examples:",
      "  holdfast bench forensics",
      "  holdfast bench forensics --seed 100000 --cases 5000",
      "  holdfast bench forensics --cases 0 --large         4,096 ranks with 2,000 entries each",
      "  holdfast bench forensics --logs",
      "  holdfast bench forensics --posted fixtures/posted",
      "  holdfast bench forensics --kernel kernel-lines.tsv",
    })
final class BenchForensicsCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--cases", paramLabel = "N", description = "Default: 2200.")
  private int cases = 2200;

  @Option(names = "--seed", paramLabel = "N", description = "Of the first case. Default: 0.")
  private long seed;

  @Option(
      names = "--large",
      description = "Also read and diagnose one large job, and merge stacks.")
  private boolean large;

  @Option(names = "--logs", description = "Try logs instead of flight recorder dumps.")
  private boolean logs;

  @Option(
      names = "--posted",
      paramLabel = "PLACE",
      description = "Try texts that people posted, of a file of cases or a folder of them.")
  private @Nullable Path posted;

  @Option(
      names = "--kernel",
      paramLabel = "FILE",
      description = "Try lines of kernel logs whose meaning is known, of a table.")
  private @Nullable Path kernel;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      description = "Of the large job. Default: 4096; with --logs 10000.")
  private @Nullable Integer chosenRanks;

  @Option(
      names = "--entries",
      paramLabel = "N",
      description = "Of each rank of the large job. Default: 2000.")
  private int entries = 2000;

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  BenchForensicsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    int ranks = chosenRanks != null ? chosenRanks : logs ? 10_000 : 4096;
    if (cases < 0 || ranks < 16 || ranks % 8 != 0 || entries < 100) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE,
          "--cases must not be negative, --ranks a multiple of 8 from 16, --entries at least 100");
    }
    Map<String, @Nullable Object> tree = Json.map("schema", "holdfast.bench.forensics/1");
    StringBuilder text = new StringBuilder();
    if (posted != null) {
      BenchPosted.measure(console, tree, text, posted);
    } else if (kernel != null) {
      BenchKernel.measure(console, tree, text, kernel);
    } else if (logs) {
      BenchLogs.measure(console, tree, text, seed, cases, ranks);
    } else if (cases > 0) {
      ScoreTable score = new ScoreTable(FlightScore.of(seed, cases), false);
      tree.put("rows", score.rows());
      tree.put("mistakes", score.score().mistakes());
      text.append(score.text(console));
    }
    if (large) {
      speed(ranks, tree, text);
      merging(tree, text);
    }
    console.answer(format == TableOrJson.JSON ? Json.pretty(tree) : text.toString());
    return 0;
  }

  private void speed(int ranks, Map<String, @Nullable Object> tree, StringBuilder text) {
    LargeJob.Result result = LargeJob.measure(ranks, entries, ranks / 2 + 1);
    double rate = result.bytes() / 1e6 / result.readSeconds();
    tree.put(
        "large",
        Json.map(
            "ranks",
            result.ranks(),
            "entries",
            result.entries(),
            "bytes",
            result.bytes(),
            "readSeconds",
            result.readSeconds(),
            "analysisSeconds",
            result.analysisSeconds(),
            "blamed",
            result.blamed()));
    text.append(
        "%d ranks x %d entries, %.0f MB: read in %.2f s of one core (%.0f MB/s), diagnosed in %.2f s: rank %s%n"
            .formatted(
                result.ranks(),
                result.entries(),
                result.bytes() / 1e6,
                result.readSeconds(),
                rate,
                result.analysisSeconds(),
                result.blamed()));
  }

  /** The first size is the one STAT's own merger was measured at. */
  private void merging(Map<String, @Nullable Object> tree, StringBuilder text) {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (int size : new int[] {8192, 1_000_000}) {
      MergeBench.Result result = MergeBench.measure(size, 5);
      rows.add(
          Json.map(
              "ranks",
              result.ranks(),
              "frames",
              result.frames(),
              "mergeSeconds",
              result.mergeSeconds(),
              "classesSeconds",
              result.classesSeconds()));
      text.append(
          "%d stacks of %d frames: merged in %.3f s, %d classes told in %.3f s%n"
              .formatted(
                  result.ranks(),
                  result.frames(),
                  result.mergeSeconds(),
                  result.classes(),
                  result.classesSeconds()));
    }
    tree.put("merging", rows);
  }
}
