package dev.holdfast.control.entry;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Of what is kept of a history that is not. */
public sealed interface KeptEntry extends Entry {
  /**
   * One thing of a state, whole, as it was: what a checkpoint is made of.
   *
   * @param what the kind of thing
   * @param value a record, or the tree it was read from
   */
  record Thing(String what, Object value) implements KeptEntry {
    @Override
    public String kind() {
      return "kept." + what;
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("value", value instanceof Record live ? RecordTree.components(live) : value);
    }

    public <T extends Record> T as(Class<T> type) {
      if (type.isInstance(value)) {
        return type.cast(value);
      }
      if (value instanceof Map<?, ?> tree) {
        return RecordTree.read(type, tree);
      }
      throw new IllegalArgumentException("not a " + what);
    }
  }

  /** What was over before that time is known no more. */
  record Forgotten(Instant before) implements KeptEntry {
    @Override
    public String kind() {
      return "kept.forgotten";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("before", before.toString());
    }
  }

  static KeptEntry of(String kind, Fields fields) {
    return kind.equals("kept.forgotten")
        ? new Forgotten(Instant.parse(fields.text("before")))
        : new Thing(kind.substring("kept.".length()), fields.object("value").tree());
  }
}
