package dev.holdfast.launch.watch;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.Ranks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A number of a rank that stopped being one, or that explodes.
 *
 * @param name which number: "the loss"
 * @param last the value at that step
 * @param limit what it would have to stay below
 * @param inARow how many values were so, up to this one
 * @param median of the {@code good} values before
 */
record NumericsTrouble(
    String name,
    int rank,
    long step,
    double last,
    double limit,
    int inARow,
    double median,
    int good) {
  private static final int MOST_TOLD = 4;

  boolean finite() {
    return Double.isFinite(last);
  }

  /** One sentence for ranks that have the same trouble. */
  static Diagnosis diagnosis(List<NumericsTrouble> alike) {
    NumericsTrouble first = alike.getFirst();
    List<Integer> ranks = alike.stream().map(NumericsTrouble::rank).toList();
    String names =
        alike.stream().map(NumericsTrouble::name).distinct().collect(Collectors.joining(" or "));
    String whose = names + (ranks.size() == 1 ? " of rank " : " of ranks ") + Ranks.show(ranks);
    String what =
        first.finite()
            ? String.format(Locale.ROOT, "%s explodes: %.4g", whose, first.last)
            : whose + " is no number any more: " + first.last;
    List<String> evidence = new ArrayList<>();
    for (NumericsTrouble trouble : alike.subList(0, Math.min(MOST_TOLD, alike.size()))) {
      evidence.add((alike.size() == 1 ? "" : "rank " + trouble.rank + ": ") + trouble.evidence());
    }
    if (alike.size() > MOST_TOLD) {
      evidence.add("and the same of " + (alike.size() - MOST_TOLD) + " more ranks");
    }
    return new Diagnosis(
        FailureClass.NUMERICS, ranks, "", first.finite() ? 0.7 : 0.9, what, evidence, first.step);
  }

  private String evidence() {
    return String.format(
        Locale.ROOT,
        "%d values in a row up to step %d, the last %s; usual before: median %.4g of %d%s",
        inARow,
        step,
        last,
        median,
        good,
        finite() ? String.format(Locale.ROOT, ", limit %.4g", limit) : "");
  }
}
