package dev.holdfast.bench.net;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Who reaches whom, when ranks still answer but get nothing from each other. In a ring all stand
 * still for one, and all complain; so everybody knocks at everybody's door once more.
 */
final class Reach {
  private final int ranks;
  private final Map<Integer, Map<Integer, String>> far = new TreeMap<>();

  Reach(int ranks) {
    this.ranks = ranks;
  }

  /** One of two could not reach the other; then they are cut off from each other. */
  void add(int from, int to, String why) {
    far.computeIfAbsent(from, _ -> new TreeMap<>()).putIfAbsent(to, why);
    far.computeIfAbsent(to, _ -> new TreeMap<>()).putIfAbsent(from, why);
  }

  /**
   * Whoever is cut off from most; none when all reach all.
   *
   * @param who how ranks are called
   */
  @Nullable RankFailure verdict(IntFunction<String> who) {
    int worst = -1;
    for (int rank : far.keySet()) {
      worst = worst < 0 || count(rank) > count(worst) ? rank : worst;
    }
    if (worst < 0) {
      return null;
    }
    Map.Entry<Integer, String> first =
        new TreeMap<>(far.getOrDefault(worst, Map.of())).firstEntry();
    if (count(worst) == 1) {
      return new RankFailure(
          worst,
          "%s and %s are cut off from each other: %s"
              .formatted(who.apply(worst), who.apply(first.getKey()), first.getValue()));
    }
    return new RankFailure(
        worst,
        "%s is cut off from %s: %s"
            .formatted(
                who.apply(worst),
                count(worst) == ranks - 1
                    ? "all others"
                    : count(worst) + " of " + (ranks - 1) + " others",
                first.getValue()));
  }

  private int count(int rank) {
    return far.getOrDefault(rank, Map.of()).size();
  }
}
