package dev.holdfast.bench.flight;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Makes one labelled case from one seed: layout, fault, where it strikes, what dumps are left. */
final class CaseMaker {
  private static final List<Layout> LAYOUTS =
      List.of(
          new Layout(8, 1, 1, 1),
          new Layout(16, 1, 1, 1),
          new Layout(4, 2, 1, 1),
          new Layout(4, 4, 1, 1),
          new Layout(2, 8, 1, 1),
          new Layout(1, 8, 2, 1),
          new Layout(2, 2, 4, 1),
          new Layout(4, 2, 2, 2),
          new Layout(4, 1, 4, 4),
          new Layout(8, 2, 2, 4),
          new Layout(2, 4, 4, 1),
          new Layout(1, 4, 4, 1),
          new Layout(3, 1, 3, 3),
          new Layout(1, 1, 6, 1));
  private static final long TIMEOUT = 600_000_000_000L;

  private final SplittableRandom random;
  private final Fault fault;
  private final Layout layout;
  private final int culprit;
  private final int second;
  private final int ahead;
  private final boolean timing;
  private final boolean onlyActive;
  private final int room;
  private final long seed;

  private CaseMaker(long seed) {
    this.seed = seed;
    random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + 1);
    fault = Fault.values()[(int) Math.floorMod(seed, (long) Fault.values().length)];
    layout = LAYOUTS.get(random.nextInt(LAYOUTS.size()));
    culprit = random.nextInt(layout.ranks());
    second = (culprit + 1 + random.nextInt(layout.ranks() - 1)) % layout.ranks();
    ahead = List.of(0, 2, 8, 24).get(random.nextInt(4));
    timing = random.nextInt(10) < 7;
    onlyActive = random.nextInt(4) == 0;
    room = random.nextBoolean() || fault == Fault.SLOW ? 2000 : 48;
  }

  static LabelledCase make(long seed) {
    return new CaseMaker(seed).make();
  }

  private LabelledCase make() {
    int iterations = layout.tensor() == 1 && layout.pipeline() == 1 ? 12 : 4;
    List<List<Step>> steps = new ArrayList<>(new Program(layout, random).steps(iterations, 2));
    int[] stops = new int[layout.ranks()];
    int[] deviceStops = new int[layout.ranks()];
    double[] pace = new double[layout.ranks()];
    Arrays.fill(stops, Integer.MAX_VALUE);
    Arrays.fill(deviceStops, Integer.MAX_VALUE);
    Arrays.fill(pace, 1);
    int call = middle(steps.get(culprit).size());
    Map<Integer, Integer> lost = Map.of();
    switch (fault) {
      case HANG, CRASH -> stops[culprit] = call;
      case HANG_TWICE -> {
        stops[culprit] = call;
        stops[second] = middle(steps.get(second).size());
      }
      case DEVICE -> deviceStops[culprit] = call;
      case NETWORK -> lost = Map.of(culprit, call);
      case SLOW -> pace[culprit] = 2 + random.nextDouble() * 2;
      case OTHER_CALL, OTHER_SIZE, SKIPPED_CALL, EXTRA_CALL ->
          steps.set(culprit, new Mistakes(fault, random).in(steps.get(culprit), call));
      case NONE -> {}
    }
    Rehearsal job = new Rehearsal(steps, ahead, stops, deviceStops, lost, pace, ahead > 0, random);
    return label(job, stops);
  }

  private int middle(int calls) {
    return calls / 3 + random.nextInt(Math.max(1, calls / 3));
  }

  private LabelledCase label(Rehearsal job, int[] stops) {
    long[] skew = new long[layout.ranks()];
    long off = 0;
    for (int rank = 0; rank < skew.length; rank++) {
      off = rank % 8 == 0 ? random.nextLong(-50_000_000, 50_000_000) : off;
      skew[rank] = off;
    }
    boolean live = fault == Fault.SLOW || fault == Fault.NONE;
    long until = live ? middleOf(job) : Long.MAX_VALUE - 1;
    DumpWriter writer = new DumpWriter(job, layout.teams(), timing, onlyActive, room, until, skew);
    Map<Integer, byte[]> dumps = new TreeMap<>();
    Set<Integer> unclear = new HashSet<>();
    Set<Integer> gone = gone();
    boolean json = random.nextInt(7) == 0;
    for (int rank = 0; rank < layout.ranks(); rank++) {
      Map<String, Object> tree = writer.tree(rank);
      int number = rank;
      boolean crashed = fault == Fault.CRASH && rank == culprit;
      if (crashed || gone.contains(rank)) {
        Leftover leftover = Leftover.of(tree, json, crashed, random);
        leftover.bytes().ifPresent(bytes -> dumps.put(number, bytes));
        if (leftover.unclear()) {
          unclear.add(rank);
        }
      } else {
        dumps.put(
            rank,
            json
                ? JsonWriter.of(tree).getBytes(StandardCharsets.UTF_8)
                : PickleWriter.of(tree).bytes());
      }
    }
    Label label =
        new Label(job, layout, fault, culprit, second, stops, timing, onlyActive, ahead, unclear);
    return new LabelledCase(
        seed,
        layout,
        fault,
        dumps,
        label.culprits(),
        label.decidable(),
        live ? 0 : TIMEOUT,
        "%s ahead %d%s%s%s%s"
            .formatted(
                layout,
                ahead,
                timing ? " timing" : "",
                onlyActive ? " active" : "",
                json ? " json" : "",
                unclear.isEmpty() ? "" : " without " + unclear));
  }

  private Set<Integer> gone() {
    Set<Integer> gone = new HashSet<>();
    if (random.nextInt(10) < 3) {
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        gone.add(random.nextInt(layout.ranks()));
      }
    }
    return gone;
  }

  private static long middleOf(Rehearsal job) {
    long[] ended = job.ended[0];
    return ended[ended.length * 7 / 10];
  }
}
