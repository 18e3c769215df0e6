package dev.holdfast.bench.net;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Watches whether Java's compilers took processors from ranks while they were measured. What they
 * disturbed is measured again, for a few seconds; that they did is the only reason for it, never
 * what came out.
 */
final class CompilerWatch {
  /** From when one operation was first measured in one round. */
  private static final long MOST_NANOS = 3_000_000_000L;

  private final LongSupplier clock;
  private int repeated;
  private int left;
  private double most;
  private boolean fixed;

  CompilerWatch() {
    this(System::nanoTime);
  }

  CompilerWatch(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * @param again whether what they disturbed is measured again; not where somebody said how often
   */
  RankFleet.Timed during(boolean again, CoreWatch.Work<RankFleet.Timed> work) throws IOException {
    long began = clock.getAsLong();
    while (true) {
      RankFleet.Timed timed = work.run();
      if (!timed.compiling()) {
        return timed;
      }
      if (!again || clock.getAsLong() - began >= MOST_NANOS) {
        left++;
        fixed |= !again;
        most = Math.max(most, timed.others() / timed.total());
        return timed;
      }
      repeated++;
    }
  }

  /** What a reader must know of it. */
  List<String> notes() {
    List<String> parts = new ArrayList<>();
    if (repeated > 0) {
      parts.add(repeated + " measured again");
    }
    if (left > 0) {
      parts.add(
          String.format(
              Locale.ROOT,
              "%d counted although they used up to %.0f %% of the calls' time%s",
              left,
              100 * most,
              fixed ? " (without --iters, calls go on until they rest)" : ""));
    }
    return parts.isEmpty()
        ? List.of()
        : List.of("Java's compilers worked beside ranks: " + String.join(", ", parts));
  }
}
