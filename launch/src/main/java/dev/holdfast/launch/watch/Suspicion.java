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

  /** Since when all of them show no progress. */
  double quietSince() {
    return ranks.stream().mapToDouble(RankTrack::progressAt).max().orElse(Double.NaN);
  }

  boolean anyIn(Place place) {
    return ranks.stream().anyMatch(rank -> rank.place == place);
  }

  double confidence() {
    double sure = strong() ? 0.75 : 0.5;
    sure += 0.1 * (signs.size() - 1) - 0.15 * against;
    return Math.max(0.35, Math.min(0.95, sure));
  }
}
