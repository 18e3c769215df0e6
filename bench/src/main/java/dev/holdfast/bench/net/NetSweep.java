package dev.holdfast.bench.net;

import dev.holdfast.bench.ledger.Manifest.Load;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.network.NetResults;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which ranks, transport and streams are best here? Every setting has its turn in each round, so
 * that a machine that grows slower meanwhile is so for all of them.
 */
public final class NetSweep {
  private final Planner planner;
  private final CompilerWatch compilers = new CompilerWatch();

  /** By the number of ranks: more of them are further apart. */
  private final Map<Integer, CoreWatch> cores = new TreeMap<>();

  private final List<Load> loads = new ArrayList<>();
  private final Set<String> cards = new LinkedHashSet<>();
  private final Set<String> bindings = new LinkedHashSet<>();
  private Map<String, String> machines = Map.of();
  private int turns;
  private int most;

  private NetSweep(Planner planner) {
    this.planner = planner;
  }

  /** What is varied beside the size. */
  public record Setting(Transport transport, int streams, int ranks) {
    public String words() {
      return "%s%s, %d ranks"
          .formatted(transport.word(), streams == 1 ? "" : " " + streamWords(), ranks);
    }

    private String streamWords() {
      return "with " + streams + " streams";
    }
  }

  /** Hears how far it is. */
  public interface Watcher {
    void measured(Setting setting, int done, int total);
  }

  /** Says what one round of a setting is, and where. */
  public interface Planner {
    NetPlan plan(Setting setting);

    RankSite site(Setting setting);
  }

  /** Every combination that makes sense: shared memory has no streams. */
  public static List<Setting> settings(
      List<Transport> transports, List<Integer> streams, List<Integer> ranks) {
    List<Setting> settings = new ArrayList<>();
    for (Transport transport : transports) {
      for (int stream : transport == Transport.SHM ? List.of(1) : streams) {
        for (int rank : ranks) {
          settings.add(new Setting(transport, stream, rank));
        }
      }
    }
    return settings.stream().distinct().toList();
  }

  /**
   * @param rounds how many are complete; only they count
   * @param binding which cores ranks had to themselves in every turn
   * @param machines what the machines of the ranks are, and the Java of the ranks
   * @param cards the address and card of each rank, where they are on several hosts
   * @param load how busy others kept the machines of the ranks at worst; none where turns were too
   *     short to tell
   * @param notes what a reader must know of how it was measured
   * @param failure why it ended early
   */
  public record Outcome(
      Map<Setting, List<NetResult>> results,
      int rounds,
      String binding,
      Map<String, String> machines,
      List<String> cards,
      List<Load> load,
      List<String> notes,
      Optional<IOException> failure) {
    public Outcome {
      results = Collections.unmodifiableMap(new LinkedHashMap<>(results));
      machines = Collections.unmodifiableMap(new LinkedHashMap<>(machines));
      cards = List.copyOf(cards);
      load = List.copyOf(load);
      notes = List.copyOf(notes);
    }

    /** For the ledger, where nothing else says how many streams there were. */
    public List<NetResult> kept() {
      return results.entrySet().stream()
          .flatMap(
              it ->
                  it.getValue().stream()
                      .map(
                          result ->
                              it.getKey().streams() == 1
                                  ? result
                                  : result.among(it.getKey().streamWords())))
          .toList();
    }
  }

  /** The results of each setting; a rank that fails ends it all, and complete rounds are kept. */
  public static Outcome run(List<Setting> settings, int rounds, Planner planner, Watcher watcher)
      throws IOException {
    return new NetSweep(planner).measured(settings, rounds, watcher);
  }

  private Outcome measured(List<Setting> settings, int rounds, Watcher watcher) throws IOException {
    Map<Setting, List<NetResult>> all = new LinkedHashMap<>();
    int total = rounds * settings.size();
    for (int round = 0; round < rounds; round++) {
      Map<Setting, List<NetResult>> ofRound = new LinkedHashMap<>();
      try {
        for (Setting setting : settings) {
          ofRound.put(setting, turn(setting));
          watcher.measured(setting, turns, total);
        }
      } catch (IOException failure) {
        if (round == 0) {
          throw failure;
        }
        // Whoever wanted it to end is heard: what is written from now on must not be closed for it.
        Thread.interrupted();
        watcher.measured(settings.getLast(), total, total);
        return outcome(all, round, Optional.of(failure));
      }
      ofRound.forEach(
          (setting, results) ->
              all.computeIfAbsent(setting, _ -> new ArrayList<>()).addAll(results));
    }
    return outcome(all, rounds, Optional.empty());
  }

  private List<NetResult> turn(Setting setting) throws IOException {
    NetBench bench =
        new NetBench(
            planner.plan(setting),
            planner.site(setting),
            new NetBench.Watcher() {},
            false,
            compilers,
            cores.computeIfAbsent(setting.ranks(), _ -> new CoreWatch(false)));
    NetBench.Outcome outcome = bench.run();
    if (!outcome.failure().isEmpty()) {
      throw new IOException(setting.words() + ": " + outcome.failure());
    }
    turns++;
    loads.addAll(outcome.load());
    cards.addAll(bench.cards());
    bindings.add(outcome.binding());
    if (setting.ranks() >= most) {
      most = setting.ranks();
      machines = bench.machines();
    }
    return outcome.results();
  }

  private Outcome outcome(
      Map<Setting, List<NetResult>> all, int rounds, Optional<IOException> failure) {
    all.replaceAll((_, results) -> NetResults.merged(results));
    return new Outcome(
        all,
        rounds,
        String.join(" or ", bindings),
        machines,
        List.copyOf(cards),
        loads.stream().reduce(Load::and).stream().toList(),
        notes(),
        failure);
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    List<Load> noisy = loads.stream().filter(Load::noisy).toList();
    if (!noisy.isEmpty()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%d of %d turns %s noisy (others used up to %.1f cores); none was measured again",
              noisy.size(),
              turns,
              noisy.size() == 1 ? "was" : "were",
              noisy.stream().mapToDouble(Load::others).max().orElse(0)));
    }
    cores.values().forEach(it -> notes.addAll(it.notes()));
    notes.addAll(compilers.notes());
    return notes.stream().distinct().toList();
  }
}
