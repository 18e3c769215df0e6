package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.forensics.flight.FlightAnalysis;
import dev.holdfast.core.forensics.flight.Hypothesis;
import dev.holdfast.core.forensics.flight.Recordings;
import dev.holdfast.launch.forensics.FlightFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Why does this run not go on, and whose doing is it? */
@Command(
    name = "diagnose",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Say why a run stopped or stands still, which rank began it and how sure that is.",
    footer = {
      "",
      "DUMPDIR holds the flight recorder dumps of PyTorch's ranks, one file for each, the name ends",
      "with the rank: nccl_trace_rank_0, comm_lib_trace_rank_1, _dump_2, 3.json. Pickles are read",
      "without running anything in them. Dumps that are missing or break off are evidence, too.",
      "",
      "A job writes dumps when TORCH_NCCL_TRACE_BUFFER_SIZE=2000 is set at its start; with",
      "TORCH_NCCL_ENABLE_TIMING=1 a stuck device can be told from a stuck network.",
      "",
      "Exit code 1 when a rank is blamed, 0 when it cannot be told or nothing is wrong.",
      "",
      "Examples:",
      "  holdfast diagnose ~/.cache/torch",
      "  holdfast diagnose dumps --job slurm-4711 --format json | jq '.hypotheses[0]'",
      "  holdfast diagnose dumps --ranks 4096      ranks that nobody names are missed, too",
    })
final class DiagnoseCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "DUMPDIR", description = "A folder with flight recorder dumps.")
  private Path folder = Path.of("");

  @Option(
      names = "--job",
      paramLabel = "NAME",
      description = "What the job is called in the answer. Default: the name of the folder.")
  private @Nullable String job;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      description = "How many ranks the job has. Default: whoever is named in a dump.")
  private int ranks;

  @Option(names = "--format", paramLabel = "FORMAT", description = "text or json. Default: text.")
  private Format format = Format.TEXT;

  /** How the answer is written. */
  enum Format {
    TEXT,
    JSON
  }

  DiagnoseCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Recordings recordings = FlightFolder.read(files(), ranks);
    if (recordings.flights().isEmpty()) {
      throw new HoldfastException(
          ErrorCode.NO_EVIDENCE,
          "no dump in " + folder + " can be read" + first(recordings.unreadable()));
    }
    List<Hypothesis> hypotheses = FlightAnalysis.of(recordings);
    DiagnosisText text = new DiagnosisText(name(), recordings, hypotheses);
    console.answer(format == Format.JSON ? text.json() : text.text(console));
    return hypotheses.getFirst().culprits().isEmpty() ? 0 : 1;
  }

  private Map<Integer, Path> files() {
    try {
      Map<Integer, Path> files = FlightFolder.files(folder);
      if (files.isEmpty()) {
        throw new HoldfastException(
            ErrorCode.NO_EVIDENCE, "no file in " + folder + " is named as a rank's dump");
      }
      return files;
    } catch (IOException unreadable) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, folder + ": " + Failures.why(unreadable), unreadable);
    }
  }

  private static String first(Map<Integer, String> unreadable) {
    return unreadable.values().stream()
        .sorted()
        .findFirst()
        .map(why -> " (" + why + ")")
        .orElse("");
  }

  private String name() {
    String name =
        job != null ? job : String.valueOf(folder.toAbsolutePath().normalize().getFileName());
    String safe = name.replaceAll("[^A-Za-z0-9._:@+-]", "-");
    return safe.isEmpty() ? "job" : safe;
  }
}
