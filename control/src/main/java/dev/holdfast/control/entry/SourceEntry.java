package dev.holdfast.control.entry;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Of those who report. */
public sealed interface SourceEntry extends Entry {
  /** Reports of the source are applied up to here. */
  record Heard(String source, long epoch, long sequence) implements SourceEntry {
    @Override
    public String kind() {
      return "source.heard";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("source", source, "epoch", epoch, "sequence", sequence);
    }
  }

  /** The source could not keep all it had to say. */
  record Lost(String source, long count, Instant from, Instant until) implements SourceEntry {
    @Override
    public String kind() {
      return "source.lost";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map(
          "source", source, "count", count, "from", Times.show(from), "until", Times.show(until));
    }
  }

  /** The source said something of a kind this version does not know. */
  record Strange(String source, String what) implements SourceEntry {
    @Override
    public String kind() {
      return "source.strange";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("source", source, "what", what);
    }
  }

  static SourceEntry of(String kind, Fields fields) {
    return switch (kind) {
      case "source.heard" ->
          new Heard(fields.text("source"), fields.number("epoch"), fields.number("sequence"));
      case "source.lost" ->
          new Lost(
              fields.text("source"),
              fields.number("count"),
              Times.read(fields.text("from")),
              Times.read(fields.text("until")));
      case "source.strange" -> new Strange(fields.text("source"), fields.text("what"));
      default -> throw Entry.unknown(kind);
    };
  }
}
