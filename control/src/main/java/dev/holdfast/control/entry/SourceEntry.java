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

  /**
   * So many of its statements were not taken in.
   *
   * @param why of the last of them, for a person
   */
  record Refused(String source, Ground ground, long count, String why) implements SourceEntry {
    @Override
    public String kind() {
      return "source.refused";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map(
          "source", source, "reason", ground.word(), "count", count, "why", Entry.some(why));
    }
  }

  /**
   * A program speaks for the source from now on.
   *
   * @param intruded whether the one that spoke before should not have
   */
  record Spoken(String source, Speaker speaker, boolean intruded) implements SourceEntry {
    @Override
    public String kind() {
      return "source.spoken";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map(
          "source", source, "speaker", speaker.json(), "intruded", intruded ? true : null);
    }
  }

  /** What was over by that time, of what the source told, is known no more. */
  record Trimmed(String source, Instant upTo) implements SourceEntry {
    @Override
    public String kind() {
      return "source.trimmed";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("source", source, "upTo", upTo.toString());
    }
  }

  /** A person lets it begin anew: how far it was heard and who spoke for it is forgotten. */
  record Reset(String source, String actor) implements SourceEntry {
    @Override
    public String kind() {
      return "source.reset";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("source", source, "actor", actor);
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
      case "source.refused" ->
          new Refused(
              fields.text("source"),
              Ground.of(fields.text("reason")),
              fields.number("count"),
              fields.text("why", ""));
      case "source.spoken" ->
          new Spoken(
              fields.text("source"), Speaker.of(fields.object("speaker")), fields.flag("intruded"));
      case "source.trimmed" ->
          new Trimmed(fields.text("source"), Instant.parse(fields.text("upTo")));
      case "source.reset" -> new Reset(fields.text("source"), fields.text("actor"));
      default -> throw Entry.unknown(kind);
    };
  }
}
