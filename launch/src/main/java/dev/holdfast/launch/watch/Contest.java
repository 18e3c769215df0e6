package dev.holdfast.launch.watch;

import dev.holdfast.core.statistics.Binomial;
import dev.holdfast.core.statistics.Robust;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who comes out on top more often than chance allows? Each round gives every rank a number; an
 * ordinary one of {@code n} has the largest in one round of {@code n}. Over the last {@value
 * #WINDOW} rounds the binomial tail, times {@code n} because all are asked, says how surprising a
 * rank's wins are. Asking by ranks rather than by means makes single wild numbers harmless.
 */
final class Contest {
  static final int WINDOW = 50;
  private static final double SIGNIFICANT = 1e-4;

  /** One that wins too often: by how much in the middle of the window, and how surprising. */
  record Winner(int rank, double above, int wins, double probability) {}

  private final Map<Integer, Deque<Double>> above = new HashMap<>();
  private final Map<Integer, Deque<Boolean>> wins = new HashMap<>();
  private int rounds;

  void round(Map<Integer, Double> numbers) {
    double median =
        Robust.median(numbers.values().stream().mapToDouble(Double::doubleValue).toArray());
    double largest = numbers.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    boolean tie = numbers.values().stream().filter(number -> number == largest).count() > 1;
    numbers.forEach(
        (rank, number) -> {
          keep(above.computeIfAbsent(rank, _ -> new ArrayDeque<>()), number - median);
          keep(wins.computeIfAbsent(rank, _ -> new ArrayDeque<>()), !tie && number == largest);
        });
    rounds++;
  }

  /** Those that win too often and by at least this much. */
  List<Winner> winners(double least) {
    List<Winner> found = new ArrayList<>();
    int ranks = above.size();
    if (rounds < WINDOW || ranks < 2) {
      return found;
    }
    above.forEach(
        (rank, window) -> {
          double middle = Robust.median(window.stream().mapToDouble(Double::doubleValue).toArray());
          Deque<Boolean> won = wins.getOrDefault(rank, new ArrayDeque<>());
          int count = (int) won.stream().filter(win -> win).count();
          double chance = Math.min(1, ranks * Binomial.atLeast(count, won.size(), 1.0 / ranks));
          if (middle >= least && won.size() >= WINDOW && chance < SIGNIFICANT) {
            found.add(new Winner(rank, middle, count, chance));
          }
        });
    found.sort((a, b) -> Double.compare(b.above(), a.above()));
    return found;
  }

  void clear() {
    above.clear();
    wins.clear();
    rounds = 0;
  }

  private static <T> void keep(Deque<T> window, T value) {
    window.addLast(value);
    if (window.size() > WINDOW) {
      window.removeFirst();
    }
  }
}
