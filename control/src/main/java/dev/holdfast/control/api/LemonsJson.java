package dev.holdfast.control.api;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.Lemons;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which nodes and devices fail more often than chance explains. */
final class LemonsJson {
  private static final int MOST = 100;

  private LemonsJson() {}

  static Map<String, @Nullable Object> of(ClusterState state, Policy policy, Instant now) {
    Lemons lemons = new Lemons(state, policy, now);
    return Json.map(
        "schema",
        "holdfast.lemons/1",
        "time",
        Times.show(now),
        "windowSeconds",
        policy.offenderWindow().toSeconds(),
        "faultsAtLeast",
        policy.offender(),
        "falseLemonsPerLook",
        Lemons.FALSE,
        "nodes",
        ranking(lemons.nodes()),
        "devices",
        ranking(lemons.devices()));
  }

  private static Map<String, @Nullable Object> ranking(Lemons.Ranking ranking) {
    return Json.map(
        "count",
        ranking.fleet().count(),
        "faults",
        ranking.fleet().faults(),
        "days",
        ranking.fleet().days(),
        "faultsPerMonth",
        ranking.fleet().perMonth(),
        "rows",
        ranking.rows().stream().limit(MOST).map(LemonsJson::row).toList());
  }

  private static Map<String, @Nullable Object> row(Lemons.Row row) {
    return Json.map(
        "subject",
        row.subject(),
        "faults",
        row.faults(),
        "expected",
        row.expected(),
        "probability",
        row.probability(),
        "lemon",
        row.lemon(),
        "incidents",
        row.incidents());
  }
}
