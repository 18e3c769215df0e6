package dev.holdfast.control.entry;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One change of the cluster's state. The state is what applying all entries in order gives; nothing
 * else changes it. When it happened stands with the {@link Batch} it is in.
 */
public sealed interface Entry
    permits SourceEntry,
        NodeEntry,
        FindingEntry,
        IncidentEntry,
        DecisionEntry,
        JobEntry,
        RuleEntry,
        TrustEntry,
        KeptEntry {
  /** The kind's word in JSON; the part before the dot names the family. */
  String kind();

  /** The fields beside the kind. */
  Map<String, @Nullable Object> json();

  default Map<String, @Nullable Object> tree() {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("kind", kind());
    tree.putAll(json());
    return tree;
  }

  static Entry of(Fields fields) {
    String kind = fields.text("kind");
    int dot = kind.indexOf('.');
    return switch (dot < 0 ? kind : kind.substring(0, dot)) {
      case "source" -> SourceEntry.of(kind, fields);
      case "node" -> NodeEntry.of(kind, fields);
      case "finding" -> FindingEntry.of(kind, fields);
      case "incident" -> IncidentEntry.of(kind, fields);
      case "decision", "action" -> DecisionEntry.of(kind, fields);
      case "job" -> JobEntry.of(kind, fields);
      case "rule" -> RuleEntry.of(kind, fields);
      case "trust" -> TrustEntry.of(kind, fields);
      case "kept" -> KeptEntry.of(kind, fields);
      default -> throw unknown(kind);
    };
  }

  /** A later version wrote it: whoever cannot read an entry must not go on from there. */
  static IllegalArgumentException unknown(String kind) {
    return new IllegalArgumentException("no such kind of entry: " + kind);
  }

  static @Nullable Object some(String text) {
    return text.isEmpty() ? null : text;
  }

  /** For messages and tests. */
  static String line(Entry entry) {
    return Json.line(entry.tree());
  }
}
