package dev.holdfast.bench.net;

import dev.holdfast.bench.ledger.Manifest.Load;
import dev.holdfast.core.network.NetResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Measures a plan: every operation in every round, with fresh processes in each. */
public final class NetBench {
  private static final double WARM_SECONDS = 0.1;
  private static final double MOST_WARM_SECONDS = 3;

  /** As long as calls become faster by more than this, they are not what they will be. */
  private static final double BETTER = 0.9;

  private static final double MEASURED_SECONDS = 0.33;
  private static final int MOST_ITERATIONS = 2000;

  /** Short calls need more of them: ten thousands until all of it is compiled. */
  private static final int MOST_WARMING = 100_000;

  private static final int LEAST_ITERATIONS = 5;

  private final NetPlan plan;
  private final RankSite site;
  private final Watcher watcher;
  private final Set<String> cards = new LinkedHashSet<>();
  private final Set<String> bindings = new LinkedHashSet<>();
  private final NetRounds rounds;
  private final CoreWatch cores;
  private final CompilerWatch compilers;
  private final Map<Operation, Long> wrong = new HashMap<>();
  private Map<String, String> facts = Map.of();
  private String about = "";

  /** Whoever wants to see how it goes. */
  public interface Watcher {
    /** The ranks of a round run, as these processes. */
    default void started(List<Long> pids) {}

    /** So many of all operations of all rounds were measured. */
    default void measured(Operation operation, int done, int total) {}
  }

  /**
   * @param failure why it ended early; empty when it did not
   * @param binding which cores ranks had to themselves in every round
   * @param about what performed the operations, where that was not ourselves
   * @param load how busy others kept the machine in the rounds that count; empty where they were
   *     too short to tell
   * @param notes what a reader must know of how it was measured
   * @param ranksSaid what each rank wrote at its end, when it ended early
   */
  public record Outcome(
      List<NetResult> results,
      String binding,
      String about,
      List<Load> load,
      List<String> notes,
      String failure,
      int guilty,
      List<List<String>> ranksSaid) {
    public Outcome {
      results = List.copyOf(results);
      load = List.copyOf(load);
      notes = List.copyOf(notes);
      ranksSaid = List.copyOf(ranksSaid);
    }

    public boolean wrong() {
      return results.stream().anyMatch(it -> it.wrong() > 0);
    }
  }

  /** Ranks are processes of this machine. */
  public NetBench(NetPlan plan, Watcher watcher) {
    this(plan, watcher, true);
  }

  /**
   * @param again whether rounds in which others used the machine are made again
   */
  public NetBench(NetPlan plan, Watcher watcher, boolean again) {
    this(plan, new ThisMachine(), watcher, again);
  }

  /**
   * @param again whether rounds in which others used the machines of the ranks are made again
   */
  public NetBench(NetPlan plan, RankSite site, Watcher watcher, boolean again) {
    this(plan, site, watcher, again, new CompilerWatch());
  }

  /**
   * @param compilers to be asked about several measurements together
   */
  NetBench(NetPlan plan, RankSite site, Watcher watcher, boolean again, CompilerWatch compilers) {
    this(plan, site, watcher, again, compilers, new CoreWatch(again));
  }

  /**
   * @param compilers to be asked about several measurements together
   * @param cores the same, of measurements by as many ranks
   */
  NetBench(
      NetPlan plan,
      RankSite site,
      Watcher watcher,
      boolean again,
      CompilerWatch compilers,
      CoreWatch cores) {
    this.plan = plan;
    this.compilers = compilers;
    this.site = site;
    this.watcher = watcher;
    this.rounds = new NetRounds(plan.rounds(), again);
    this.cores = cores;
  }

  /** The conditions a plan sets, for the record. */
  public static Map<String, String> facts(NetPlan plan, Outcome outcome) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("ranks", Integer.toString(plan.ranks()));
    facts.put(
        "ranksPerCore",
        String.format(
            Locale.ROOT,
            "%.3g",
            (double) plan.ranks() / Runtime.getRuntime().availableProcessors()));
    facts.put("transport", plan.transport().word());
    if (!outcome.about().isEmpty()) {
      facts.put("library", outcome.about());
    }
    facts.put("streams", Integer.toString(plan.streams()));
    facts.put("binding", outcome.binding());
    facts.put("iterations", plan.iterations() == 0 ? "auto" : "" + plan.iterations());
    boolean counted = plan.counted() || plan.transport() == Transport.MPI;
    facts.put("warmup", counted ? "" + plan.leastWarmup() : "auto");
    return facts;
  }

  /** The address and card of each rank, where they are on several hosts. */
  public List<String> cards() {
    return List.copyOf(cards);
  }

  /** What the machines of the ranks are, and the Java of the ranks. */
  public Map<String, String> machines() {
    return facts;
  }

  /**
   * What was measured, also when a rank failed on the way. That ranks cannot start at all is an
   * error.
   */
  public Outcome run() throws IOException {
    return run(false);
  }

  /** The same of complete rounds alone, for whoever compares operations within each round. */
  public Outcome runWholeRounds() throws IOException {
    return run(true);
  }

  private Outcome run(boolean whole) throws IOException {
    while (rounds.more()) {
      NetRound round = new NetRound(plan, !site.remote());
      rounds.add(round);
      RankFleet started;
      try {
        started = RankFleet.start(plan, site);
      } catch (IOException failure) {
        if (rounds.made() == 1) {
          throw failure;
        }
        return early(failure, List.of(), whole);
      }
      try (RankFleet fleet = started) {
        watcher.started(fleet.pids());
        about = fleet.about();
        bindings.add(fleet.bound() ? "a core each" : "none");
        cards.addAll(fleet.cards());
        facts = HostFacts.of(fleet.facts(), site.hosts());
        try {
          if (site.remote()) {
            round.began(fleet.look());
          }
          measure(fleet, round);
          if (site.remote()) {
            round.ended(fleet.look());
          }
        } catch (RankFailure failure) {
          List<List<String>> said = new ArrayList<>();
          for (int rank = 0; rank < plan.ranks(); rank++) {
            said.add(fleet.said(rank));
          }
          return early(failure, said, whole);
        } catch (Stopped stopped) {
          return early(stopped, List.of(), whole);
        }
      }
      round.complete();
    }
    return outcome("", -1, List.of());
  }

  private Outcome early(IOException failure, List<List<String>> said, boolean whole) {
    // Whoever wanted it to end is heard; files that are written from now on must not be closed for
    // it.
    Thread.interrupted();
    if (whole) {
      rounds.dropLast();
    }
    int total = rounds.expected() * plan.operations().size();
    watcher.measured(plan.operations().getLast(), total, total);
    int guilty = failure instanceof RankFailure named ? named.rank() : -1;
    return outcome(String.valueOf(failure.getMessage()), guilty, said);
  }

  private Outcome outcome(String failure, int guilty, List<List<String>> said) {
    return new Outcome(
        rounds.results(plan, wrong),
        binding(),
        about,
        rounds.load().stream().map(it -> it.apart(cores.furthest())).toList(),
        Stream.of(rounds.notes(), cores.notes(), compilers.notes()).flatMap(List::stream).toList(),
        failure,
        guilty,
        said);
  }

  private void measure(RankFleet fleet, NetRound round) throws IOException {
    int total = rounds.expected() * plan.operations().size();
    int done = (rounds.made() - 1) * plan.operations().size();
    for (Operation operation : plan.operations()) {
      measure(fleet, operation, round);
      watcher.measured(operation, ++done, total);
    }
  }

  private String binding() {
    return String.join(" or ", bindings);
  }

  private void measure(RankFleet fleet, Operation operation, NetRound round) throws IOException {
    if (plan.check()) {
      // Also of rounds that do not count in the end: what is wrong once is wrong.
      wrong.merge(operation, fleet.check(operation), Long::sum);
      round.own().add(operation, 1);
    }
    int iterations = warmUp(fleet, operation, round);
    RankFleet.Timed timed =
        compilers.during(
            !plan.counted(),
            () ->
                cores.during(
                    fleet.cores(),
                    () -> {
                      round.own().add(operation, iterations);
                      return fleet.time(operation, iterations);
                    }));
    round.measured(operation, RankFleet.seconds(timed.nanos(), operation.messages()));
  }

  /**
   * Returns how many iterations are worth measuring. The first calls of a rank are its slowest by
   * far, so that how many fit into a time is only known as they become faster.
   */
  private int warmUp(RankFleet fleet, Operation operation, NetRound round) throws IOException {
    if (plan.counted()) {
      if (plan.warmup() > 0) {
        warm(fleet, operation, round, plan.warmup());
      }
      return plan.iterations();
    }
    RankFleet.Warm last = warm(fleet, operation, round, Math.max(1, plan.leastWarmup()));
    double before = Double.POSITIVE_INFINITY;
    double spent = last.total();
    // Compilers work while the first operation runs, and take cores from ranks bound to them.
    boolean first = operation.equals(plan.operations().getFirst());
    double most = first ? MOST_WARM_SECONDS : MOST_WARM_SECONDS / 3;
    int done = 0;
    while (done < MOST_WARMING
        && (spent < WARM_SECONDS
            || spent < most
                && (last.median() < BETTER * before || last.uneven() || last.compiling()))) {
      before = last.median();
      double within = Math.max(WARM_SECONDS - spent, WARM_SECONDS / 2);
      int more = Math.max(LEAST_ITERATIONS, often(within, before, MOST_WARMING - done));
      last = warm(fleet, operation, round, more);
      spent += last.total();
      done += more;
    }
    return plan.iterations() > 0
        ? plan.iterations()
        : Math.max(LEAST_ITERATIONS, often(MEASURED_SECONDS, last.median(), MOST_ITERATIONS));
  }

  private static RankFleet.Warm warm(
      RankFleet fleet, Operation operation, NetRound round, int iterations) throws IOException {
    round.own().add(operation, iterations);
    return fleet.warm(operation, iterations);
  }

  private static int often(double within, double each, int most) {
    return (int) Math.clamp(within / Math.max(each, 1e-9), 0, most);
  }
}
