package dev.holdfast.bench.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What to know before believing the figures. */
final class Notes {
  private static final double NOISY = 0.2;

  private Notes() {}

  static List<String> of(StoreResult result) {
    List<String> notes = new ArrayList<>();
    StorePlan plan = result.plan();
    notes.add(
        "medians of %d round%s of %s s after %s s of warm-up, servers taking turns; servers on CPUs %s, clients on %s (%d threads); a SET is one of 8 in a row with a CHECK that is waited for"
            .formatted(
                plan.rounds(),
                plan.rounds() == 1 ? "" : "s",
                plan.seconds(),
                plan.warmUpSeconds(),
                plan.serverCpus(),
                plan.loadCpus(),
                plan.loadThreads()));
    notes.add(
        "load of the machine %s before, %s after"
            .formatted(result.loadBefore(), result.loadAfter()));
    if (!result.lookupOff()) {
      notes.add(
          "names were looked up as on this machine (switching it off for a server needs root): PyTorch's server asks for the name of everybody who connects, so arrivals may measure the resolver");
    }
    for (Comparison comparison : result.comparisons()) {
      for (Row row : comparison.rows()) {
        rowNotes(result, comparison, row, notes);
      }
    }
    result.samples().failures().forEach(failure -> notes.add("failed: " + failure));
    return notes;
  }

  private static void rowNotes(
      StoreResult result, Comparison comparison, Row row, List<String> notes) {
    String what = "%s, %,d clients: ".formatted(row.of().label(), row.of().connections());
    if (row.spread() > NOISY) {
      notes.add(
          what
              + String.format(
                  Locale.ROOT, "noisy, the rounds lie %.0f %% apart", row.spread() * 100));
    }
    if (row.of().measure().equals(Case.LOAD) && comparison.limitedByGenerator(row.of())) {
      notes.add(what + "the clients were the limit, ours could have done more");
    }
    if (row.of().storm() && row.of().connections() == result.plan().storm()) {
      notes.add(
          what
              + String.format(
                  Locale.ROOT,
                  "four times the clients take ours %.1f times as long, theirs %.1f times",
                  comparison.growth(comparison.ours(), row.of()),
                  comparison.growth(comparison.peer(), row.of())));
    }
  }
}
