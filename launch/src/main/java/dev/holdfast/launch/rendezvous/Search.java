package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Member;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where a launcher without a leader asks next: hints first, then everybody it knows in turn. */
final class Search {
  private static final int A_TIME = 3;
  private static final int MOST_HINTS = 8;

  private final Setup setup;
  private final Set<String> hints = new LinkedHashSet<>();
  private int turn;

  Search(Setup setup) {
    this.setup = setup;
  }

  void hint(String address) {
    if (hints.size() < MOST_HINTS) {
      hints.add(address);
    }
  }

  List<String> next(@Nullable JobRecord record) {
    Set<String> asked = new LinkedHashSet<>(hints);
    hints.clear();
    List<String> known = known(record);
    for (int i = 0; i < Math.min(A_TIME, known.size()); i++) {
      asked.add(known.get(Math.floorMod(turn++, known.size())));
    }
    asked.remove(Names.address(setup.self()));
    return new ArrayList<>(asked);
  }

  private List<String> known(@Nullable JobRecord record) {
    List<String> known = new ArrayList<>();
    if (!setup.isAlone()) {
      known.add(setup.endpoint());
    }
    if (record != null) {
      for (Member voter : record.voters()) {
        known.add(Names.address(voter));
      }
    }
    return known;
  }
}
