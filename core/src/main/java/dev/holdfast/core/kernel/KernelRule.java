package dev.holdfast.core.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One kind of kernel line: a row of {@code kernel-lines.tsv}.
 *
 * @param check the check that tells it as a finding of its own; empty: it is evidence for others
 * @param markers a line must contain one of these; they are what makes the search fast
 * @param pattern must then be found in it; its named groups give device and detail
 * @param posted where such a line of a machine was posted; named only beside a source of the maker
 * @param example a line it recognises
 */
public record KernelRule(
    String id,
    String check,
    List<String> markers,
    Pattern pattern,
    Severity severity,
    FaultClass faultClass,
    NextStep now,
    String summary,
    String meaning,
    String remedy,
    String source,
    String posted,
    String example) {
  private static final String PCI = "[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]";
  private static final List<KernelRule> ENTRIES =
      Table.read(KernelRule.class, "kernel-lines.tsv", KernelRule::of);

  public Proof proof() {
    return RowProof.of(posted);
  }

  static KernelRule of(Table.Row row) {
    return new KernelRule(
        row.text("id"),
        row.optional("check"),
        List.of(row.text("marker").split(" \\|\\| ", -1)),
        Pattern.compile(row.optional("pattern").replace("{pci}", PCI)),
        row.word("severity", Severity.class),
        row.word("class", FaultClass.class),
        row.word("now", NextStep.class),
        row.text("summary"),
        row.text("meaning"),
        row.text("remedy"),
        row.text("source"),
        row.optional("posted"),
        row.text("example"));
  }

  /** Every rule, in the order they are tried. */
  public static List<KernelRule> entries() {
    return ENTRIES;
  }
}
