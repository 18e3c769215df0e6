package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.Ledger;
import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.os.place.Places;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which ledger of benchmarks is meant. */
final class LedgerChoice {
  /** So many of the runs that could be meant are named. */
  private static final int NAMED = 4;

  @Option(
      names = "--ledger",
      paramLabel = "FOLDER",
      description = "Where runs are kept. Default: bench in the state folder.")
  private @Nullable Path folder;

  /** Something done with files. */
  interface Work<T> {
    T run(Ledger ledger) throws IOException;
  }

  private Path folder() {
    return folder != null ? folder : Places.ofThisProcess().state().resolve("bench");
  }

  <T> T use(Work<T> work) {
    try {
      return work.run(new Ledger(folder()));
    } catch (IOException problem) {
      throw new HoldfastException(
          ErrorCode.STATE_UNAVAILABLE, folder() + ": " + Failures.why(problem), problem);
    }
  }

  LedgerRun find(String words) {
    Optional<LedgerRun> run = use(ledger -> ledger.find(words));
    return run.orElseThrow(() -> new HoldfastException(ErrorCode.NO_RESULTS, unfound(words)));
  }

  private String unfound(String words) {
    List<LedgerRun> begun = use(ledger -> ledger.begun(words));
    if (begun.size() < 2) {
      return "no run '" + words + "' in " + folder();
    }
    String newest =
        begun.reversed().stream().limit(NAMED).map(LedgerRun::id).collect(Collectors.joining(", "));
    return "'%s' is ambiguous: %d runs begin so (%s%s); give more of the id"
        .formatted(words, begun.size(), newest, begun.size() > NAMED ? ", …" : "");
  }
}
