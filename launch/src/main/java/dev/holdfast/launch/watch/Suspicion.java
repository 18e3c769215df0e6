package dev.holdfast.launch.watch;

import java.util.List;

/**
 * Who may hang, and why just they.
 *
 * @param ranks at most half of all; empty when nobody stands out
 * @param signs the signs that point at just these
 * @param against how many signs point at others
 */
record Suspicion(List<RankTrack> ranks, List<Sign> signs, int against) {
  static final Suspicion NOBODY = new Suspicion(List.of(), List.of(), 0);

  Suspicion {
    ranks = List.copyOf(ranks);
    signs = List.copyOf(signs);
  }

  boolean strong() {
    return against == 0 && signs.stream().anyMatch(Sign::strong);
  }

  /** Since when all of them neither show progress nor do anything. */
  double since() {
    return ranks.stream().mapToDouble(RankTrack::lastLife).max().orElse(Double.NaN);
  }

  /** Since when all of them do nothing and make no step, whatever a side thread writes. */
  double deafSince() {
    return ranks.stream()
        .mapToDouble(
            rank ->
                Math.max(Math.max(rank.idleSince, rank.memoryAt), Math.max(rank.stepAt, rank.ioAt)))
        .max()
        .orElse(Double.NaN);
  }

  /** Where they sit; of several places the one that explains a long wait best. */
  Place place() {
    return ranks.stream().map(rank -> rank.place).max(Place::compareTo).orElse(Place.UNKNOWN);
  }

  /** Whether the device of one of them is busy: with its own work, or in a collective. */
  boolean deviceBusy() {
    return ranks.stream().anyMatch(rank -> !Double.isNaN(rank.deviceBusySince));
  }

  double confidence() {
    double sure = strong() ? 0.75 : 0.5;
    sure += 0.1 * (signs.size() - 1) - 0.15 * against;
    return Math.max(0.35, Math.min(0.95, sure));
  }
}
