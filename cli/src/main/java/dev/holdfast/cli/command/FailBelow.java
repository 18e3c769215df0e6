package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.network.NetDiff;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a script wants to hear as a failure. */
final class FailBelow {
  @Option(
      names = "--fail-below",
      paramLabel = "LIMIT",
      description =
          "Exit with 1 when the second run has less than this: 0.9x of the first over all that is"
              + " compared, or 40 as its best busbw in GB/s.")
  private @Nullable String limit;

  boolean failed(NetDiff diff, LedgerRun second) {
    if (limit == null) {
      return false;
    }
    try {
      if (limit.endsWith("x")) {
        double least = Double.parseDouble(limit.substring(0, limit.length() - 1));
        return !(diff.ratio() >= least);
      }
      double least = Double.parseDouble(limit);
      return !(second.best().map(it -> it.busbw()).orElse(Double.NaN) >= least);
    } catch (NumberFormatException wrong) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--fail-below: '" + limit + "' is neither 0.9x nor 40", wrong);
    }
  }
}
