package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.Ledger;
import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.os.place.Places;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which ledger of benchmarks is meant. */
final class LedgerChoice {
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
    return run.orElseThrow(
        () -> new HoldfastException(ErrorCode.NO_RESULTS, "no run '" + words + "' in " + folder()));
  }
}
