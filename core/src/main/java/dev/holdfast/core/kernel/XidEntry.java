package dev.holdfast.core.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Table;

/**
 * Everything known of one Xid.
 *
 * @param mnemonic the vendor's symbol
 * @param name the vendor's short name, or ours where the vendor says "unused"
 * @param now what to do before the GPU may work again
 * @param later what to do so that it does not come back
 * @param remedy {@code now} and {@code later} at length
 * @param vendorNow the vendor's own bucket for {@code now}, empty if it published none
 * @param vendorLater the vendor's own bucket for {@code later}, empty if it published none
 * @param drivers driver branches or GPU generations it applies to; empty if not documented
 * @param source where name and buckets come from
 * @param posted where such a line of a machine was posted; empty if nowhere we know of
 * @param why the reason where {@code now} is not what the vendor says; else empty
 */
public record XidEntry(
    int code,
    String mnemonic,
    String name,
    String meaning,
    FaultClass faultClass,
    Severity severity,
    NextStep now,
    NextStep later,
    String remedy,
    String vendorNow,
    String vendorLater,
    String drivers,
    String source,
    String posted,
    String why) {

  public Proof proof() {
    boolean vendorsWord = !vendorNow.isEmpty() && why.isEmpty();
    return vendorsWord ? RowProof.of(posted) : Proof.DOCUMENTED;
  }

  static XidEntry of(Table.Row row) {
    return new XidEntry(
        row.whole("code"),
        row.text("mnemonic"),
        row.text("name"),
        row.text("meaning"),
        row.word("class", FaultClass.class),
        row.word("severity", Severity.class),
        row.word("now", NextStep.class),
        row.word("later", NextStep.class),
        row.text("remedy"),
        row.optional("vendorNow"),
        row.optional("vendorLater"),
        row.optional("drivers"),
        row.text("source"),
        row.optional("posted"),
        row.optional("why"));
  }
}
