package dev.holdfast.bench.flight;

import dev.holdfast.bench.flight.Layout.Team;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** What each rank of a training job calls, iteration by iteration: all forward, then backward. */
final class Program {
  private static final int HIDDEN = 1024;

  private final Layout layout;
  private final Map<String, Team> teams = new HashMap<>();
  private final SplittableRandom random;

  Program(Layout layout, SplittableRandom random) {
    this.layout = layout;
    this.random = random;
    for (Team team : layout.teams()) {
      team.ranks().forEach(rank -> teams.put(team.kind() + rank, team));
    }
  }

  List<List<Step>> steps(int iterations, int microBatches) {
    List<List<Step>> all = new ArrayList<>();
    for (int rank = 0; rank < layout.ranks(); rank++) {
      List<Step> steps = new ArrayList<>();
      int stage = rank / (layout.data() * layout.tensor());
      int stride = layout.data() * layout.tensor();
      boolean first = stage == 0;
      boolean last = stage == layout.pipeline() - 1;
      for (int iteration = 0; iteration < iterations; iteration++) {
        for (int batch = 0; batch < microBatches; batch++) {
          transfer(steps, rank, first ? -1 : rank - stride, "recv");
          layer(steps, rank, "_all_gather_base", "_reduce_scatter_base");
          transfer(steps, rank, last ? -1 : rank + stride, "send");
        }
        for (int batch = 0; batch < microBatches; batch++) {
          transfer(steps, rank, last ? -1 : rank + stride, "recv");
          layer(steps, rank, "all_reduce", "_all_gather_base");
          transfer(steps, rank, first ? -1 : rank - stride, "send");
        }
        together(steps, rank, "DATA", "_reduce_scatter_base", HIDDEN * 8);
        together(steps, rank, "DATA", "_all_gather_base", HIDDEN * 2);
        together(steps, rank, "WORLD", "all_reduce", 1);
      }
      all.add(steps);
    }
    return all;
  }

  private void layer(List<Step> steps, int rank, String before, String after) {
    together(steps, rank, "TENSOR", before, HIDDEN * 4);
    together(steps, rank, "EXPERT", "all_to_all", 64);
    together(steps, rank, "EXPERT", "all_to_all", 64);
    together(steps, rank, "TENSOR", after, HIDDEN * 16);
  }

  private void together(List<Step> steps, int rank, String kind, String what, int size) {
    Team team = teams.get(kind + rank);
    if (team != null) {
      boolean free = what.equals("all_to_all");
      List<Integer> in = List.of(free ? size + random.nextInt(8) : size, 16);
      List<Integer> out = List.of(free ? size + random.nextInt(8) : size, 16);
      steps.add(new Step(team, what, -1, in, out, size == 1 ? "Float" : "BFloat16"));
    }
  }

  private void transfer(List<Step> steps, int rank, int peer, String what) {
    Team team = teams.get("PIPELINE" + rank);
    if (peer >= 0 && team != null) {
      steps.add(new Step(team, what, peer, List.of(512, 16), List.of(512, 16), "BFloat16"));
    }
  }
}
