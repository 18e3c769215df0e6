package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.bench.ledger.RunMetrics;
import dev.holdfast.bench.ledger.RunPicture;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.network.NetCsv;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a run is shown: in words, for programs, as a picture. */
final class RunOutput {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "table, json, csv, or prometheus (for the node exporter's textfile folder). Default:"
              + " table.")
  private RunFormat format = RunFormat.TABLE;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description =
          "Draw it too: busbw over size, the time of small calls, the conditions; - for standard output alone.")
  private @Nullable String svg;

  /**
   * Complains about a picture that could not be drawn or written, before anything is measured.
   *
   * @param sized whether what is measured has a size
   */
  void prepare(boolean sized) {
    if (svg == null) {
      return;
    }
    if (!sized) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--svg: there is nothing to draw of what has no size");
    }
    PictureFile.requirePlace(svg);
  }

  void write(Console console, LedgerRun run, Supplier<String> table, Supplier<String> json) {
    boolean draws = svg != null && !run.results().isEmpty();
    if (!draws || !PictureFile.ANSWER.equals(svg)) {
      // First: what was measured is not lost with a picture that cannot be written.
      switch (format) {
        case TABLE -> console.answer(table.get());
        case JSON -> console.answer(json.get());
        case CSV -> console.document(NetCsv.of(run.results()));
        case PROMETHEUS -> console.document(RunMetrics.of(run));
      }
    }
    if (draws && svg != null) {
      PictureFile.write(picture(List.of(run)), svg, console);
      if (!svg.equals(PictureFile.ANSWER)) {
        console.message("drawn: " + svg);
      }
    }
  }

  static String picture(List<LedgerRun> runs) {
    try {
      return RunPicture.of(runs);
    } catch (IllegalArgumentException nothing) {
      throw new HoldfastException(ErrorCode.BAD_RESULTS, "--svg: " + nothing.getMessage(), nothing);
    }
  }
}
