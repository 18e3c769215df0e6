package dev.holdfast.launch.report;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
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
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    details.forEach((name, value) -> copy.put(name, asRead(value)));
    details = Collections.unmodifiableMap(copy);
  }

  /** The details, to be read by name and kind. */
  public Fields fields() {
    return Fields.of(kind, details);
  }

  /** A number among the details, or what is given where there is none. */
  public long number(String name, long otherwise) {
    return details.get(name) instanceof Long number ? number : otherwise;
  }

  public int attempt() {
    long attempt = number("attempt", -1);
    return attempt == (int) attempt ? (int) attempt : -1;
  }

  /** A text among the details, empty where there is none. */
  public String text(String name) {
    return details.get(name) instanceof String text ? text : "";
  }

  public boolean flag(String name) {
    return details.get(name) instanceof Boolean flag && flag;
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

  /**
   * As it would come back from the file, so that a report is the same from memory and from disk.
   */
  private static @Nullable Object asRead(@Nullable Object value) {
    return switch (value) {
      case Integer number -> Long.valueOf(number);
      case Short number -> Long.valueOf(number);
      case Float number -> Double.valueOf(number);
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((name, inner) -> copy.put(String.valueOf(name), asRead(inner)));
        yield Collections.unmodifiableMap(copy);
      }
      case Iterable<?> list -> {
        List<@Nullable Object> copy = new ArrayList<>();
        list.forEach(inner -> copy.add(asRead(inner)));
        yield Collections.unmodifiableList(copy);
      }
      case null, default -> value;
    };
  }
}
