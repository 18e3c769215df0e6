package dev.holdfast.bench.net;

import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.network.NetResults;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which ranks, transport and streams are best here? Every setting has its turn in each round, so
 * that a machine that grows slower meanwhile is so for all of them.
 */
public final class NetSweep {
  private NetSweep() {}

  /** What is varied beside the size. */
  public record Setting(Transport transport, int streams, int ranks) {
    public String words() {
      return "%s%s, %d ranks"
          .formatted(transport.word(), streams == 1 ? "" : " with " + streams + " streams", ranks);
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

  /** The results of each setting; a rank that fails ends it all. */
  public static Map<Setting, List<NetResult>> run(
      List<Setting> settings, int rounds, Planner planner, Watcher watcher) throws IOException {
    Map<Setting, List<NetResult>> all = new LinkedHashMap<>();
    int done = 0;
    for (int round = 0; round < rounds; round++) {
      for (Setting setting : settings) {
        NetBench.Outcome outcome =
            new NetBench(
                    planner.plan(setting), planner.site(setting), new NetBench.Watcher() {}, false)
                .run();
        if (!outcome.failure().isEmpty()) {
          throw new IOException(setting.words() + ": " + outcome.failure());
        }
        all.computeIfAbsent(setting, _ -> new ArrayList<>()).addAll(outcome.results());
        watcher.measured(setting, ++done, rounds * settings.size());
      }
    }
    all.replaceAll((_, results) -> NetResults.merged(results));
    return all;
  }
}
