package dev.holdfast.bench.store;

import dev.holdfast.bench.peer.Contender;
import dev.holdfast.core.text.Json;

/** The result for programs: every round, and ours beside each peer. */
public final class StoreBenchJson {
  private StoreBenchJson() {}

  public static String of(StoreResult result) {
    StorePlan plan = result.plan();
    return Json.pretty(
        Json.map(
            "schema",
            "holdfast.bench.store/1",
            "machine",
            Machine.tree(),
            "loadBefore",
            result.loadBefore(),
            "loadAfter",
            result.loadAfter(),
            "nameLookupOff",
            result.lookupOff(),
            "servers",
            plan.contenders().stream().map(Contender::name).toList(),
            "rounds",
            plan.rounds(),
            "seconds",
            plan.seconds(),
            "warmUpSeconds",
            plan.warmUpSeconds(),
            "serverCpus",
            plan.serverCpus().stream().boxed().toList(),
            "loadCpus",
            plan.loadCpus().stream().boxed().toList(),
            "comparisons",
            result.comparisons().stream()
                .map(
                    comparison ->
                        Json.map(
                            "peer",
                            comparison.peer(),
                            "rows",
                            comparison.rows().stream().map(Row::tree).toList()))
                .toList(),
            "samples",
            result.samples().all().stream().map(Sample::tree).toList()));
  }
}
