package dev.holdfast.bench.posted;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A line of a kernel log that somebody posted or kept, and what its maker says of it.
 *
 * @param source where it stands
 * @param code {@code xid 79}, {@code sxid 20034}, {@code harmless}, or a word of {@code
 *     kernel-words.tsv}
 * @param device as the line names it; empty: it names none
 * @param action of an Xid: the maker's bucket for what to do at once; empty: none is published
 * @param note where it comes from, in words
 */
public record KernelCase(
    String source,
    String line,
    String code,
    String device,
    String action,
    String severity,
    String note) {
  private static final int COLUMNS = 7;

  /** Words of a note that say a person or a program made the line up. */
  private static final Pattern MADE =
      Pattern.compile(
          "\\b(?:tests?|inject\\w*|injection|self-test|own example|an example|kmsg input|sample|fuzzed|design document)\\b");

  private static final Pattern SEEN =
      Pattern.compile("from machines|from a machine|user's report|from a training");

  /** Whether it comes from a test, an example or an injection rather than from a machine. */
  boolean made() {
    return MADE.matcher(note).find() && !SEEN.matcher(note).find();
  }

  /** What it is counted as. */
  String kind() {
    if (code.startsWith("xid ")) {
      int number = Integer.parseInt(code.substring(4));
      return number >= 144 && number <= 150 ? "xid, nvlink 5" : "xid";
    }
    return code.startsWith("sxid ") ? "sxid" : code.equals("harmless") ? code : "other";
  }

  /** Reads a table with a header: address, line, code, device, action, severity, note. */
  public static List<KernelCase> read(String name, String table) {
    List<KernelCase> cases = new ArrayList<>();
    int number = 0;
    for (String row : table.split("\n", -1)) {
      number++;
      if (number == 1 || row.isBlank() || row.startsWith("#")) {
        continue;
      }
      String[] cells = row.split("\t", -1);
      if (cells.length != COLUMNS || !cells[2].matches("s?xid \\d{1,6}|[a-z][a-z0-9-]*")) {
        throw new IllegalArgumentException(
            name
                + ":"
                + number
                + " needs 7 columns: address, line, code, device, action, severity, note");
      }
      cases.add(
          new KernelCase(cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6]));
    }
    return cases;
  }
}
