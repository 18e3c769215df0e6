package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.bench.ledger.Manifest;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.network.NetResult;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether what was measured is kept in the ledger, and under which name. */
final class KeepChoice {
  @Option(names = "--save", description = "Keep the run, for `holdfast bench list` and `diff`.")
  private boolean save;

  @Option(
      names = "--label",
      paramLabel = "TEXT",
      description = "With --save, a name to find it by.")
  private String label = "";

  @Mixin private LedgerChoice ledger = new LedgerChoice();

  /** Says what was measured; the exit code. */
  interface Answer {
    int of(LedgerRun run) throws IOException;
  }

  boolean asked() {
    return save;
  }

  LedgerChoice ledger() {
    return ledger;
  }

  /** Complains before anything is measured. */
  void require() {
    if (!label.isEmpty() && !save) {
      throw new IllegalArgumentException("--label names a run that is kept: add --save");
    }
  }

  /**
   * Keeps it if that is wanted and there is something, and answers: also when it cannot be kept.
   */
  int answered(
      Console console,
      Manifest manifest,
      List<NetResult> results,
      List<String> notes,
      Answer answer)
      throws IOException {
    Interruptible.answering();
    LedgerRun run = new LedgerRun("", Instant.now(), "holdfast", label, manifest, results, notes);
    if (save && results.isEmpty()) {
      console.message("not kept: nothing was measured");
    }
    if (!save || results.isEmpty()) {
      return answer.of(run);
    }
    LedgerRun kept;
    try {
      kept = ledger.use(it -> it.append(run));
      console.message("kept as " + kept.id());
    } catch (HoldfastException failed) {
      // What was measured is not lost with a ledger that cannot be written, nor is the reason with
      // that of a rank which failed as well.
      console.message("not kept: " + failed.detail());
      answer.of(run);
      throw failed;
    }
    return answer.of(kept);
  }
}
