package dev.holdfast.core.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known word nearest to a mistyped one, for "did you mean". */
public final class Nearest {
  private Nearest() {}

  public static Optional<String> to(String word, Collection<String> known) {
    int worst = Math.max(2, word.length() / 3);
    return known.stream()
        .filter(candidate -> distance(word, candidate) <= worst)
        .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
  }

  /** {@code " (did you mean 'x'?)"}, or nothing. */
  public static String hint(String word, Collection<String> known) {
    return to(word, known).map(found -> " (did you mean '" + found + "'?)").orElse("");
  }

  private static int distance(String left, String right) {
    String a = left.toLowerCase(Locale.ROOT);
    String b = right.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
