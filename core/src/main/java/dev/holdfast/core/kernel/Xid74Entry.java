package dev.holdfast.core.kernel;

import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What some bits of the words in an Xid 74 line mean: {@code xid74.tsv}. Words count from 1.
 *
 * @param kind harmless, secondary, secondary-reset, ecc, mechanical, signal, repeat, unexpected or
 *     threshold
 * @param posted where a line with such bits was posted; empty if nowhere we know of
 */
public record Xid74Entry(
    int word,
    int mask,
    String kind,
    Severity severity,
    NextStep now,
    String meaning,
    String remedy,
    String source,
    String posted) {
  private static final List<Xid74Entry> ENTRIES =
      Table.read(Xid74Entry.class, "xid74.tsv", Xid74Entry::of);
  private static final Pattern WORD = Pattern.compile("0x([0-9a-fA-F]{1,8})");

  public Proof proof() {
    return RowProof.of(posted);
  }

  static Xid74Entry of(Table.Row row) {
    int mask = 0;
    for (String bit : row.text("bits").split(" ", -1)) {
      mask |= 1 << Integer.parseInt(bit);
    }
    return new Xid74Entry(
        row.whole("word"),
        mask,
        row.text("kind"),
        row.word("severity", Severity.class),
        row.word("now", NextStep.class),
        row.text("meaning"),
        row.text("remedy"),
        row.text("source"),
        row.optional("posted"));
  }

  /** Every row, by word. */
  public static List<Xid74Entry> entries() {
    return ENTRIES;
  }

  /** The words of {@code 0x0, 0x0, 0x10000, …}. */
  static List<Integer> words(String text) {
    List<Integer> words = new ArrayList<>();
    Matcher word = WORD.matcher(text);
    while (words.size() < 8 && word.find()) {
      words.add(Integer.parseUnsignedInt(word.group(1), 16));
    }
    return words;
  }

  /** The rows whose bits are set. */
  static List<Xid74Entry> matching(List<Integer> words) {
    return ENTRIES.stream()
        .filter(row -> row.word <= words.size() && (words.get(row.word - 1) & row.mask) != 0)
        .toList();
  }

  /** Whether a bit is set in a documented word that no row explains. */
  static boolean unexplained(List<Integer> words) {
    for (int number : new int[] {1, 3, 4, 5}) {
      int known = 0;
      for (Xid74Entry row : ENTRIES) {
        known |= row.word == number ? row.mask : 0;
      }
      if (number <= words.size() && (words.get(number - 1) & ~known) != 0) {
        return true;
      }
    }
    return false;
  }
}
