package dev.holdfast.launch.report;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of a run's timeline.
 *
 * @param at by the wall clock: for people
 * @param monotonicNanos {@link System#nanoTime()} of the writer: for durations
 * @param kind one of {@link Kinds}; unknown ones are kept and skipped
 * @param details JSON values by name
 */
public record Moment(
    Instant at, long monotonicNanos, String kind, Map<String, @Nullable Object> details) {

  public Moment {
    details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
  }

  /** The details, to be read by name and kind. */
  public Fields fields() {
    return Fields.of(kind, details);
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "atMicros",
        Math.addExact(Math.multiplyExact(at.getEpochSecond(), 1_000_000L), at.getNano() / 1000),
        "nanos",
        monotonicNanos,
        "kind",
        kind,
        "details",
        details);
  }

  /** Reads what {@link #json} gave. */
  public static Moment of(Map<String, @Nullable Object> tree) {
    Fields fields = Fields.of("moment", tree);
    long micros = fields.number("atMicros");
    Map<String, @Nullable Object> details = new LinkedHashMap<>();
    if (tree.get("details") instanceof Map<?, ?> map) {
      map.forEach((name, value) -> details.put(String.valueOf(name), value));
    }
    return new Moment(
        Instant.ofEpochSecond(
            Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000),
        fields.number("nanos"),
        fields.text("kind"),
        details);
  }
}
