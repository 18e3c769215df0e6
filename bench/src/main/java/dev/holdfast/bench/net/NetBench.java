package dev.holdfast.bench.net;

import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;

/** Measures a plan: every operation in every round, with fresh processes in each. */
public final class NetBench {
  private static final double WARM_SECONDS = 0.1;
  private static final double MEASURED_SECONDS = 0.33;
  private static final int MOST_ITERATIONS = 2000;

  /** Short calls need more of them: ten thousands until all of it is compiled. */
  private static final int MOST_WARMING = 100_000;

  private static final int LEAST_ITERATIONS = 5;

  private final NetPlan plan;
  private final Watcher watcher;
  private final Set<String> bindings = new LinkedHashSet<>();
  private final Map<Operation, Samples> samples = new LinkedHashMap<>();
  private String about = "";

  /** Whoever wants to see how it goes. */
  public interface Watcher {
    /** The ranks of a round run, as these processes. */
    default void started(List<Long> pids) {}

    /** So many of all operations of all rounds were measured. */
    default void measured(Operation operation, int done, int total) {}
  }

  /** What is known of one operation: the mean of each round, every single call, wrong elements. */
  private static final class Samples {
    private final List<Double> rounds = new ArrayList<>();
    private final List<double[]> calls = new ArrayList<>();
    private long wrong = NetResult.NOT_CHECKED;
  }

  /**
   * @param failure why it ended early; empty when it did not
   * @param binding which cores ranks had to themselves in every round
   * @param about what performed the operations, where that was not ourselves
   * @param ranksSaid what each rank wrote at its end, when it ended early
   */
  public record Outcome(
      List<NetResult> results,
      String binding,
      String about,
      String failure,
      int guilty,
      List<List<String>> ranksSaid) {
    public Outcome {
      results = List.copyOf(results);
      ranksSaid = List.copyOf(ranksSaid);
    }

    public boolean wrong() {
      return results.stream().anyMatch(it -> it.wrong() > 0);
    }
  }

  public NetBench(NetPlan plan, Watcher watcher) {
    this.plan = plan;
    this.watcher = watcher;
  }

  /** The conditions a plan sets, for the record. */
  public static Map<String, String> facts(NetPlan plan, Outcome outcome) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("ranks", Integer.toString(plan.ranks()));
    facts.put("transport", plan.transport().word());
    if (!outcome.about().isEmpty()) {
      facts.put("library", outcome.about());
    }
    facts.put("streams", Integer.toString(plan.streams()));
    facts.put("binding", outcome.binding());
    facts.put("iterations", plan.iterations() == 0 ? "auto" : "" + plan.iterations());
    facts.put("warmup", Integer.toString(plan.warmup()));
    return facts;
  }

  /** What was measured, also when a rank failed on the way. */
  public Outcome run() throws IOException {
    int total = plan.rounds() * plan.operations().size();
    for (int round = 0; round < plan.rounds(); round++) {
      try (RankFleet fleet = RankFleet.start(plan)) {
        watcher.started(fleet.pids());
        about = fleet.about();
        bindings.add(fleet.cores().isEmpty() ? "none" : "a core each");
        try {
          for (int i = 0; i < plan.operations().size(); i++) {
            measure(fleet, plan.operations().get(i));
            watcher.measured(
                plan.operations().get(i), round * plan.operations().size() + i + 1, total);
          }
        } catch (RankFailure failure) {
          List<List<String>> said = new ArrayList<>();
          for (int rank = 0; rank < plan.ranks(); rank++) {
            said.add(fleet.said(rank));
          }
          watcher.measured(plan.operations().getLast(), total, total);
          return new Outcome(
              results(),
              binding(),
              about,
              String.valueOf(failure.getMessage()),
              failure.rank(),
              said);
        }
      }
    }
    return new Outcome(results(), binding(), about, "", -1, List.of());
  }

  private String binding() {
    return String.join(" or ", bindings);
  }

  private void measure(RankFleet fleet, Operation operation) throws IOException {
    Samples known = samples.computeIfAbsent(operation, _ -> new Samples());
    if (plan.check()) {
      known.wrong = Math.max(0, known.wrong) + fleet.check(operation);
    }
    int iterations = warmUp(fleet, operation);
    double[] seconds = RankFleet.seconds(fleet.time(operation, iterations), operation.messages());
    known.calls.add(seconds);
    known.rounds.add(Arrays.stream(seconds).average().orElse(Double.NaN));
  }

  /** Returns how many iterations are worth measuring. */
  private int warmUp(RankFleet fleet, Operation operation) throws IOException {
    double each = Double.NaN;
    if (plan.warmup() > 0) {
      each = fleet.typical(operation, plan.warmup());
    }
    if (plan.iterations() > 0) {
      return plan.iterations();
    }
    int more = often(WARM_SECONDS, each, MOST_WARMING) - plan.warmup();
    if (Double.isNaN(each) || more > 0) {
      each = fleet.typical(operation, Math.max(1, more));
    }
    return Math.max(LEAST_ITERATIONS, often(MEASURED_SECONDS, each, MOST_ITERATIONS));
  }

  private static int often(double within, double each, int most) {
    return Double.isNaN(each) ? 0 : (int) Math.clamp(within / Math.max(each, 1e-9), 0, most);
  }

  private List<NetResult> results() {
    List<NetResult> results = new ArrayList<>();
    samples.forEach(
        (operation, known) -> {
          if (!known.rounds.isEmpty()) {
            results.add(
                NetResult.of(
                    operation.collective(),
                    plan.transport().word() + " " + operation.algorithm().word(),
                    operation.bytes(),
                    plan.ranks(),
                    operation.element().word(),
                    Latency.of(known.calls.stream().flatMapToDouble(DoubleStream::of).toArray()),
                    known.wrong,
                    known.rounds.stream().mapToDouble(Double::doubleValue).toArray()));
          }
        });
    return results;
  }
}
