package dev.holdfast.core.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Table;

/**
 * Everything known of one SXid, the error codes of NVSwitches up to the Hopper generation.
 *
 * @param scope what it takes down: {@code none}, {@code link}, {@code port} or {@code fabric}
 * @param now what to do before the GPUs behind it may work again
 * @param posted where such a line of a machine was posted; empty if nowhere we know of
 */
public record SxidEntry(
    int code,
    String name,
    String scope,
    String meaning,
    FaultClass faultClass,
    Severity severity,
    NextStep now,
    String remedy,
    String source,
    String posted) {

  public Proof proof() {
    return RowProof.of(posted);
  }

  static SxidEntry of(Table.Row row) {
    return new SxidEntry(
        row.whole("code"),
        row.text("name"),
        row.text("scope"),
        row.text("meaning"),
        row.word("class", FaultClass.class),
        row.word("severity", Severity.class),
        row.word("now", NextStep.class),
        row.text("remedy"),
        row.text("source"),
        row.optional("posted"));
  }
}
