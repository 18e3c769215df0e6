package dev.holdfast.cli.command;

import dev.holdfast.bench.imports.Hints;
import dev.holdfast.bench.imports.Imported;
import dev.holdfast.bench.imports.Importers;
import dev.holdfast.bench.imports.Log;
import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.bench.ledger.Manifest;
import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.network.NetResults;
import dev.holdfast.core.network.NetText;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Wrap;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Take in what other benchmarks printed. */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Read what other network benchmarks printed, put units right and keep it.",
    footer = {
      "",
      "Understood: nccl-tests (text of every version, and -J), all_reduce_bench.py, OSU, perftest,",
      "DeepSpeed's and EleutherAI's benchmarks, gloo's, iperf3 -J, qperf, and our own JSON.",
      "A GB is 10^9 bytes here; algbw and busbw are nccl-tests'. What was converted is said in notes.",
      "Each file is a run of its own, unless --rounds says that they are rounds of one.",
      "",
      "Examples:",
      "  holdfast bench import all_reduce.log",
      "  holdfast bench import --rounds --label tuesday run1.log run2.log run3.log run4.log run5.log",
      "  holdfast bench import --ranks 8 osu_allgather.txt        OSU does not print its ranks",
      "  iperf3 -c node7 -J | holdfast bench import --dry-run -",
    })
final class BenchImportCommand implements Callable<Integer> {
  private static final int LARGEST = 64 << 20;

  private final Console console;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "What was printed; - is stdin.")
  private List<String> files = List.of();

  @Option(
      names = "--from",
      paramLabel = "TOOL",
      description =
          "Whose output it is: nccl-tests, nccl-tests-json, all_reduce_bench, osu, perftest,"
              + " deepspeed, gloo, iperf3, qperf, holdfast. Default: told by the text.")
  private @Nullable String from;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      description = "How many ranks took part, where it is not printed.")
  private @Nullable Integer ranks;

  @Option(
      names = "--collective",
      paramLabel = "NAME",
      description = "What was measured, where it is not printed: all_reduce, all_gather, ….")
  private @Nullable String collective;

  @Option(names = "--rounds", description = "The files are rounds of one run.")
  private boolean rounds;

  @Option(names = "--label", paramLabel = "TEXT", description = "A name to find it by.")
  private String label = "";

  @Option(names = "--dry-run", description = "Show only, keep nothing.")
  private boolean dryRun;

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  @Mixin private LedgerChoice ledger = new LedgerChoice();

  BenchImportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    List<LedgerRun> runs = new ArrayList<>();
    for (String file : files) {
      runs.add(run(file, imported(file)));
    }
    if (rounds) {
      runs = List.of(one(runs));
    }
    if (!dryRun) {
      List<LedgerRun> kept = new ArrayList<>();
      for (LedgerRun run : runs) {
        kept.add(ledger.use(it -> it.append(run)));
      }
      runs = kept;
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
    runs.forEach(this::show);
    return 0;
  }

  private void show(LedgerRun run) {
    StringBuilder out = new StringBuilder();
    out.append(run.tool());
    if (!run.manifest().hosts().isEmpty()) {
      out.append(" on ").append(String.join(", ", run.manifest().hosts()));
    }
    out.append(run.id().isEmpty() ? ", not kept" : ", kept as " + run.id()).append("\n\n");
    out.append(NetText.table(run.results(), console.style())).append('\n');
    for (String note : run.notes()) {
      out.append(Wrap.hanging("note: " + note, 6, console.width())).append('\n');
    }
    console.answer(out.toString());
  }

  private Imported imported(String file) {
    String name = file.equals("-") ? "stdin" : String.valueOf(Path.of(file).getFileName());
    try {
      return Importers.read(
          new Log(name, text(file)),
          Optional.ofNullable(from),
          new Hints(
              ranks == null ? OptionalInt.empty() : OptionalInt.of(ranks), chosenCollective()));
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.BAD_RESULTS, file + ": " + wrong.getMessage(), wrong);
    }
  }

  private Optional<Collective> chosenCollective() {
    if (collective == null) {
      return Optional.empty();
    }
    Optional<Collective> found = Collective.named(collective);
    if (found.isEmpty()) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--collective: '" + collective + "' is none");
    }
    return found;
  }

  private static String text(String file) {
    try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
      byte[] bytes = in.readNBytes(LARGEST + 1);
      if (bytes.length > LARGEST) {
        throw new IOException("longer than " + (LARGEST >> 20) + " MiB");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, file + ": " + Failures.why(unreadable), unreadable);
    }
  }

  private LedgerRun run(String file, Imported imported) {
    Map<String, String> facts = new LinkedHashMap<>(imported.about());
    String hosts = facts.remove("hosts");
    return new LedgerRun(
        "",
        time(file),
        imported.tool(),
        label,
        new Manifest(
            hosts == null ? List.of() : List.of(hosts.split(",", -1)), List.of(), facts, List.of()),
        imported.results(),
        imported.notes());
  }

  /** When a file was last written is nearer to when it was measured than now is. */
  private static Instant time(String file) {
    try {
      return file.equals("-")
          ? Instant.now()
          : Files.getLastModifiedTime(Path.of(file)).toInstant();
    } catch (IOException gone) {
      return Instant.now();
    }
  }

  private static LedgerRun one(List<LedgerRun> runs) {
    LedgerRun last = runs.getLast();
    List<NetResult> results =
        NetResults.merged(runs.stream().flatMap(it -> it.results().stream()).toList());
    return new LedgerRun(
        "",
        last.time(),
        last.tool(),
        last.label(),
        last.manifest(),
        results,
        runs.stream().flatMap(it -> it.notes().stream()).distinct().toList());
  }
}
