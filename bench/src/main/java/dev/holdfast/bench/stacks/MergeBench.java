package dev.holdfast.bench.stacks;

import dev.holdfast.core.forensics.stacks.StackTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Merges the stacks of a job that hangs: most ranks in a collective at one of a few places, one in
 * a thousand somewhere of its own.
 */
public final class MergeBench {
  private static final int FRAMES = 21;
  private static final int PLACES = 40;

  private MergeBench() {}

  /**
   * What was measured.
   *
   * @param mergeSeconds the quickest of the rounds
   * @param classesSeconds telling who belongs together, in that round
   */
  public record Result(
      int ranks, int frames, double mergeSeconds, double classesSeconds, int classes) {}

  public static Result measure(int ranks, int rounds) {
    List<List<String>> stacks = new ArrayList<>();
    for (int place = 0; place < PLACES; place++) {
      List<String> frames = new ArrayList<>();
      for (int depth = 0; depth < FRAMES; depth++) {
        boolean parts = depth > FRAMES - 2 - place % 8;
        frames.add(
            "function%d@module%d.py:%d".formatted(depth, depth % 5, parts ? 100 + place : depth));
      }
      stacks.add(List.copyOf(frames));
    }
    @Nullable Result best = null;
    for (int round = 0; round < rounds; round++) {
      long from = System.nanoTime();
      StackTree tree = new StackTree();
      for (int rank = 0; rank < ranks; rank++) {
        int place = rank % 1000 == 999 ? 1 + rank / 1000 % (PLACES - 1) : rank / 64 % 2;
        tree.add(rank, stacks.get(place));
      }
      long merged = System.nanoTime();
      int classes = tree.classes().size();
      Result result =
          new Result(
              ranks, FRAMES, (merged - from) / 1e9, (System.nanoTime() - merged) / 1e9, classes);
      best = best == null || result.mergeSeconds < best.mergeSeconds ? result : best;
    }
    return Objects.requireNonNull(best);
  }
}
