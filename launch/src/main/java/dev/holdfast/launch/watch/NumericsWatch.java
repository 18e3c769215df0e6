package dev.holdfast.launch.watch;

import dev.holdfast.core.forensics.Diagnosis;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Watches the losses and gradient norms of this node's ranks; says each trouble once. */
public final class NumericsWatch {
  private record Pair(Health loss, Health gradient) {}

  private final Map<Integer, Pair> ranks = new HashMap<>();

  /** What a rank told since the last look, if it shows that the training is lost. */
  public Optional<Diagnosis> look(int rank, List<Beat> fresh) {
    Optional<Diagnosis> first = Optional.empty();
    for (Beat beat : fresh) {
      Pair pair =
          ranks.computeIfAbsent(
              rank, _ -> new Pair(new Health("the loss"), new Health("the gradient norm")));
      Optional<Diagnosis> loss = pair.loss().add(rank, beat.step(), beat.loss());
      Optional<Diagnosis> gradient = pair.gradient().add(rank, beat.step(), beat.gradientNorm());
      first = first.or(() -> loss).or(() -> gradient);
    }
    return first;
  }

  /** Other processes run the ranks from now on. */
  public void attemptBegins() {
    ranks.clear();
  }
}
