package dev.holdfast.bench.ledger;

import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One measurement in the ledger: what came out and under which conditions.
 *
 * @param id of the ledger; empty before it is kept
 * @param tool who measured, such as {@code holdfast} or {@code nccl-tests}
 * @param label what a person calls it; may be empty
 */
public record LedgerRun(
    String id,
    Instant time,
    String tool,
    String label,
    Manifest manifest,
    List<NetResult> results,
    List<String> notes) {
  static final String SCHEMA = "holdfast.bench.run/1";

  public LedgerRun {
    results = List.copyOf(results);
    notes = List.copyOf(notes);
  }

  LedgerRun named(String name) {
    return new LedgerRun(name, time, tool, label, manifest, results, notes);
  }

  /** The highest bandwidth of all results that have one. */
  public Optional<NetResult> best() {
    return results.stream()
        .filter(it -> Double.isFinite(it.busbw()))
        .max(Comparator.comparingDouble(NetResult::bandwidth));
  }

  public Map<String, @Nullable Object> tree() {
    return Json.map(
        "schema",
        SCHEMA,
        "id",
        id,
        "time",
        Times.show(time),
        "tool",
        tool,
        "label",
        label.isEmpty() ? null : label,
        "manifest",
        manifest.tree(),
        "results",
        results.stream().map(NetResult::tree).toList(),
        "notes",
        notes);
  }

  static LedgerRun read(Fields fields) {
    String schema = fields.text("schema");
    if (!schema.equals(SCHEMA)) {
      throw new IllegalArgumentException("written by another version: " + schema);
    }
    return new LedgerRun(
        fields.text("id"),
        Times.read(fields.text("time")),
        fields.text("tool"),
        fields.text("label", ""),
        fields.has("manifest") ? Manifest.read(fields.object("manifest")) : Manifest.NONE,
        fields.objects("results").stream().map(NetResult::read).toList(),
        fields.texts("notes"));
  }
}
