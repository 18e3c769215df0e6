package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.launch.forensics.Bundle;
import dev.holdfast.launch.forensics.Investigation;
import dev.holdfast.launch.forensics.VerdictHtml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
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
      "PLACE is one of",
      "  a bundle, as holdfast run writes one for each interruption: bundle_0.zip; several bundles",
      "    of one job, one of each node, are read together",
      "  the folder of a run, or one that holds the folders of all its nodes",
      "  a folder with flight recorder dumps of PyTorch's ranks, one file for each, the name ends",
      "    with the rank: nccl_trace_rank_0, comm_lib_trace_rank_1, _dump_2, 3.json",
      "  a log, several, a folder of them, or - for standard input; any text will",
      "    do: of ranks, launchers, schedulers, containers, kernels; plain or gzip",
      "All that is there is read: what the launcher saw, stacks, flight recorders, logs. Pickles are",
      "read without running anything in them. Dumps that are missing or break off are evidence, too.",
      "",
      "A job writes dumps when TORCH_NCCL_TRACE_BUFFER_SIZE=2000 is set at its start; with",
      "TORCH_NCCL_ENABLE_TIMING=1 a stuck device can be told from a stuck network.",
      "",
      "Exit code 1 when somebody is blamed, 0 when it cannot be told or nothing is wrong.",
      "",
      "Examples:",
      "  holdfast diagnose bundle_0.zip",
      "  holdfast diagnose slurm-4711.out dmesg-n17.txt",
      "  kubectl logs -l job=llm --prefix --tail=-1 | holdfast diagnose -",
      "  holdfast diagnose ~/.cache/torch",
      "  holdfast diagnose dumps --job slurm-4711 --format json | jq '.hypotheses[0]'",
      "  holdfast diagnose dumps --ranks 4096      ranks that nobody names are missed, too",
    })
final class DiagnoseCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "PLACE",
      arity = "1..*",
      description = "A bundle, a folder with what a run left behind, a log, or -.")
  private List<Path> places = List.of();

  @Option(
      names = "--job",
      paramLabel = "NAME",
      description =
          "What the job is called in the answer. Default: as the run or the folder is called.")
  private @Nullable String job;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      description = "How many ranks the job has. Default: whoever is named.")
  private int ranks;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "text, json or html. Default: text.")
  private Format format = Format.TEXT;

  /** How the answer is written. */
  enum Format {
    TEXT,
    JSON,
    HTML
  }

  DiagnoseCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Investigation found = investigate();
    if (found.empty()) {
      throw new HoldfastException(ErrorCode.NO_EVIDENCE, nothing(found));
    }
    if (found.recordings().isPresent()
        && found.recordings().get().flights().isEmpty()
        && found.sources().size() == 1) {
      throw new HoldfastException(
          ErrorCode.NO_EVIDENCE,
          "no dump in " + places.getFirst() + " can be read" + first(found.trouble()));
    }
    DiagnosisText text = new DiagnosisText(name(found), found);
    switch (format) {
      case TEXT -> console.answer(text.text(console));
      case JSON -> console.answer(text.json());
      case HTML -> console.document(VerdictHtml.page(name(found), found));
    }
    return found.conclusions().getFirst().blames() ? 1 : 0;
  }

  private Investigation investigate() {
    try {
      if (places.equals(List.of(Path.of("-")))) {
        return Investigation.of(System.in);
      }
      if (places.size() == 1 && !Bundle.is(places.getFirst())) {
        return Investigation.of(places.getFirst(), ranks);
      }
      for (Path place : places) {
        if (Files.notExists(place)) {
          throw new NoSuchFileException(place.toString());
        }
        if (Files.isRegularFile(place) && !Bundle.is(place)) {
          return logs();
        }
      }
      return Bundle.opened(places, folder -> Investigation.of(folder, ranks));
    } catch (IOException unreadable) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT,
          places.getFirst() + ": " + Failures.why(unreadable),
          unreadable);
    }
  }

  private Investigation logs() throws IOException {
    for (Path place : places) {
      if (!Files.isRegularFile(place) || Bundle.is(place)) {
        throw new HoldfastException(
            ErrorCode.WRONG_USAGE,
            place + " is no log: logs are read together, and so are bundles, but not both");
      }
    }
    return Investigation.of(places);
  }

  private String nothing(Investigation found) {
    Path place = places.getFirst();
    if (places.equals(List.of(Path.of("-")))) {
      return "standard input " + (found.trouble().isEmpty() ? "is empty" : "is not text");
    }
    if (!found.trouble().isEmpty()) {
      return found.trouble().getFirst();
    }
    return Files.isDirectory(place)
        ? "nothing in %s tells of a run: no timeline of holdfast run, no dump, no log"
            .formatted(place)
        : place + " is empty";
  }

  private static String first(List<String> trouble) {
    return trouble.stream().sorted().findFirst().map(why -> " (" + why + ")").orElse("");
  }

  private String name(Investigation found) {
    String name = job != null ? job : found.job();
    if (name.isEmpty()) {
      name = String.valueOf(places.getFirst().toAbsolutePath().normalize().getFileName());
    }
    String safe = name.replaceAll("[^A-Za-z0-9._:@+-]", "-");
    return safe.isEmpty() ? "job" : safe;
  }
}
