package dev.holdfast.bench.net;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Watches whether Java's compilers took processors from ranks while they were measured. What they
 * disturbed is measured again, for a few seconds; that they did is the only reason for it, never
 * what came out.
 */
final class CompilerWatch {
  /** Of measuring one operation in one round. */
  private static final double MOST_SECONDS = 3;

  private int repeated;
  private int left;
  private double most;
  private boolean fixed;

  /**
   * @param again whether what they disturbed is measured again; not where somebody said how often
   */
  RankFleet.Timed during(boolean again, CoreWatch.Work<RankFleet.Timed> work) throws IOException {
    double spent = 0;
    while (true) {
      RankFleet.Timed timed = work.run();
      spent += timed.total();
      if (!timed.compiling()) {
        return timed;
      }
      if (!again || spent >= MOST_SECONDS) {
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
