package dev.holdfast.core.kernel;

import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Table;
import java.util.Arrays;
import java.util.List;

/**
 * One row of the NVLink 5 decode table: which unit, interrupt word and status ask for which action.
 *
 * @param unitBefore575 the unit as drivers before R575 print it; {@code unitFrom575} later ones
 * @param statuses the values of the status word it stands for
 * @param vendorSeverity the vendor's word: Non-fatal, Fatal, Link Fatal
 * @param origin HW, SW or FW, as far as the vendor can tell
 * @param posted where such a line of a machine was posted; empty if nowhere we know of
 */
public record Nvlink5Entry(
    int xid,
    String unitBefore575,
    String unitFrom575,
    Mask maskBefore575,
    Mask maskFrom575,
    List<Integer> statuses,
    String vendorSeverity,
    Severity severity,
    NextStep now,
    NextStep later,
    String vendorNow,
    String vendorLater,
    String origin,
    String effect,
    String source,
    String posted) {

  /** Which bits of a word matter and what they must be. */
  public record Mask(int care, int value) {
    static Mask parse(String text) {
      if (!text.matches("[-01]{32}")) {
        throw new IllegalArgumentException("a mask has 32 of - 0 1: " + text);
      }
      String care = text.replace('0', '1').replace('-', '0');
      return new Mask(
          Integer.parseUnsignedInt(care, 2), Integer.parseUnsignedInt(text.replace('-', '0'), 2));
    }

    public boolean matches(int word) {
      return (word & care) == value;
    }
  }

  public Proof proof() {
    return RowProof.of(posted);
  }

  static Nvlink5Entry of(Table.Row row) {
    List<Integer> statuses =
        Arrays.stream(row.text("status").split("\\|", -1))
            .map(text -> Integer.parseUnsignedInt(text.substring(2), 16))
            .toList();
    return new Nvlink5Entry(
        row.whole("xid"),
        row.text("unitBefore575"),
        row.text("unitFrom575"),
        Mask.parse(row.text("maskBefore575")),
        Mask.parse(row.text("maskFrom575")),
        statuses,
        row.text("vendorSeverity"),
        row.word("severity", Severity.class),
        row.word("now", NextStep.class),
        row.word("later", NextStep.class),
        row.text("vendorNow"),
        row.text("vendorLater"),
        row.text("origin"),
        row.text("effect"),
        row.text("source"),
        row.optional("posted"));
  }

  boolean named(String unit) {
    return unit.equals(unitBefore575)
        || unit.equals(unitFrom575)
        || unit.equals(unitBefore575 + "/" + unitFrom575);
  }
}
