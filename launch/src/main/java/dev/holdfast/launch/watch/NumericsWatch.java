package dev.holdfast.launch.watch;

import dev.holdfast.core.forensics.Diagnosis;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Watches the losses and gradient norms of this node's ranks; says each trouble once.
 *
 * <p>Ranks that train one model are lost together, though not all tell it in the same second. So
 * what is found is held back until every rank that tells numbers has it, at most {@value #SECONDS}
 * s, and then told as one, naming them. A rank that follows later is told alone.
 */
public final class NumericsWatch {
  static final int SECONDS = 5;

  private record Pair(Health loss, Health gradient) {}

  private final Map<Integer, Pair> ranks = new HashMap<>();
  private final Map<Integer, NumericsTrouble> held = new TreeMap<>();
  private final Set<Integer> told = new HashSet<>();
  private long heldSince;

  /** What a rank told since the last look. */
  public void look(int rank, List<Beat> fresh, long nowNanos) {
    for (Beat beat : fresh) {
      if (beat.loss().isEmpty() && beat.gradientNorm().isEmpty()) {
        continue;
      }
      Pair pair =
          ranks.computeIfAbsent(
              rank, _ -> new Pair(new Health("the loss"), new Health("the gradient norm")));
      Stream.of(
              pair.loss().add(rank, beat.step(), beat.loss()),
              pair.gradient().add(rank, beat.step(), beat.gradientNorm()))
          .flatMap(Optional::stream)
          .findFirst()
          .ifPresent(trouble -> hold(trouble, nowNanos));
      if (pair.loss().well() && pair.gradient().well()) {
        told.remove(rank);
      }
    }
  }

  private void hold(NumericsTrouble trouble, long nowNanos) {
    if (told.contains(trouble.rank())) {
      return;
    }
    if (held.isEmpty()) {
      heldSince = nowNanos;
    }
    held.putIfAbsent(trouble.rank(), trouble);
  }

  /** What is to be told now of a training that is lost. */
  public List<Diagnosis> found(long nowNanos) {
    boolean all = held.size() + told.size() >= ranks.size();
    if (held.isEmpty() || (!all && nowNanos - heldSince < SECONDS * 1_000_000_000L)) {
      return List.of();
    }
    List<Diagnosis> found = new ArrayList<>();
    for (boolean finite : new boolean[] {false, true}) {
      List<NumericsTrouble> alike =
          held.values().stream().filter(trouble -> trouble.finite() == finite).toList();
      if (!alike.isEmpty()) {
        found.add(NumericsTrouble.diagnosis(alike));
      }
    }
    told.addAll(held.keySet());
    held.clear();
    return found;
  }

  /** Other processes run the ranks from now on. */
  public void attemptBegins() {
    ranks.clear();
    held.clear();
    told.clear();
  }
}
