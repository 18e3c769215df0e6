package dev.holdfast.control.api;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.Trust;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What Holdfast did by itself and what of it was wrong, as a rate with what it may be at most. */
final class TrustJson {
  private TrustJson() {}

  static Map<String, @Nullable Object> of(ClusterState state, Instant now) {
    Trust trust = state.trust();
    double days = state.nodeDays(now);
    return Json.map(
        "schema",
        "holdfast.trust/1",
        "time",
        Times.show(now),
        "nodeDays",
        days,
        "confidence",
        Trust.CONFIDENCE,
        "drains",
        trust.drains(),
        "interruptions",
        rate(trust.rate(trust.interruptions(), days)),
        "wrongDrains",
        rate(trust.rate(trust.wrongDrains(), days)),
        "wrongKills",
        rate(trust.rate(trust.wrongKills(), days)),
        "wrongAdvice",
        trust.wrongAdvice());
  }

  private static Map<String, @Nullable Object> rate(Trust.Rate rate) {
    return Json.map(
        "events",
        rate.events(),
        "perThousandNodeDays",
        rate.perThousand(),
        "upperPerThousandNodeDays",
        Double.isNaN(rate.upper()) ? null : rate.upper());
  }
}
