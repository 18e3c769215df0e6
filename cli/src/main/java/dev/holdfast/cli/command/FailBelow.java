package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.network.NetDiff;
import dev.holdfast.core.network.NetText;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a script wants to hear as a failure. */
final class FailBelow {
  @Option(
      names = "--fail-below",
      paramLabel = "LIMIT",
      description =
          "Exit with 1 when it is less than this: 0.9x of the first run, or of the baseline, over"
              + " all that is compared, or 40 as the best busbw (of one rank algbw) in GB/s.")
  private @Nullable String limit;

  boolean asked() {
    return limit != null;
  }

  /** Whether it is a share of another run. */
  boolean relative() {
    return limit != null && limit.endsWith("x");
  }

  /**
   * What is too little, in words.
   *
   * @param diff with the run it is a share of, where there is one
   */
  Optional<String> loss(Optional<NetDiff> diff, LedgerRun second) {
    if (limit == null) {
      return Optional.empty();
    }
    double least = least();
    if (relative()) {
      double ratio = diff.map(NetDiff::ratio).orElse(Double.NaN);
      return ratio >= least
          ? Optional.empty()
          : Optional.of(
              String.format(
                  Locale.ROOT,
                  "%.3f of what it was, by its rounds; at least %s was asked for",
                  ratio,
                  limit));
    }
    double best = second.best().map(it -> it.bandwidth()).orElse(Double.NaN);
    return best >= least
        ? Optional.empty()
        : Optional.of(
            Double.isNaN(best)
                ? "no bandwidth was measured; at least %s GB/s was asked for".formatted(limit)
                : "best bandwidth %s GB/s; at least %s was asked for"
                    .formatted(NetText.bandwidth(best), limit));
  }

  /** Complains about a limit that is none, before anything is read or measured. */
  void require() {
    if (limit != null) {
      least();
    }
  }

  private double least() {
    String number = String.valueOf(limit);
    try {
      double least =
          Double.parseDouble(relative() ? number.substring(0, number.length() - 1) : number);
      if (least > 0 && Double.isFinite(least)) {
        return least;
      }
    } catch (NumberFormatException wrong) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--fail-below: '" + limit + "' is neither 0.9x nor 40", wrong);
    }
    throw new HoldfastException(
        ErrorCode.WRONG_USAGE, "--fail-below: '" + limit + "' is not more than 0");
  }
}
