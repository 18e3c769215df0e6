package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.doctor.compare.CompareJson;
import dev.holdfast.doctor.compare.CompareTable;
import dev.holdfast.doctor.compare.Comparison;
import dev.holdfast.doctor.compare.Gathering;
import java.util.List;

/** {@code doctor --compare}: exit 1 when a node is not like the others. */
record CompareNodes(Console console, ReportFormat format) {
  private static final long FIRST_WORD_NANOS = 1_000_000_000L;

  int run(List<String> arguments) {
    if (format != ReportFormat.TABLE && format != ReportFormat.JSON) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--compare answers as table or json, not as " + format);
    }
    long start = System.nanoTime();
    Gathering gathering = Gathering.of(arguments, done -> progress(done, start));
    console.progress("");
    if (gathering.nodes().size() < 2) {
      gathering.unreadable().forEach(left -> console.message(left.code() + " " + left.reason()));
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT,
          "--compare needs at least two snapshots it can read, and found "
              + gathering.nodes().size());
    }
    Comparison comparison = Comparison.of(gathering);
    console.answer(
        format == ReportFormat.JSON
            ? CompareJson.write(comparison)
            : new CompareTable(console.style(), console.width()).write(comparison));
    return comparison.odd().isEmpty() ? 0 : 1;
  }

  private void progress(int done, long start) {
    if (done % 50 == 0 && System.nanoTime() - start > FIRST_WORD_NANOS) {
      console.progress(done + " snapshots read");
    }
  }
}
