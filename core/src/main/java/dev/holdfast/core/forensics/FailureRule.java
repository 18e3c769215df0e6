package dev.holdfast.core.forensics;

import dev.holdfast.core.text.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One thing a failed rank can say or do, and what it means: a row of {@code failure-rules.tsv}.
 *
 * <p>A pattern is no regular expression but pieces of text that follow each other within a line, so
 * that no line, however strange, can make matching slow.
 */
public record FailureRule(
    String id,
    FailureClass kind,
    Where where,
    List<Pattern> patterns,
    List<Numbers> numbers,
    Blame blame,
    Retry retry,
    String meaning,
    String remedy,
    String proof) {

  /** Where the pattern is looked for. */
  public enum Where {
    /** The last lines of the rank, and its error file. */
    STDERR,
    ERROR_FILE,
    EXIT,
    SIGNAL
  }

  /** Whose doing it is. */
  public enum Blame {
    /** Something at this rank: its GPU, its node or the code there. */
    RANK,
    NODE,
    CODE,
    NOBODY,
    /** Another rank: this one is a victim. */
    PEER
  }

  /** Whether another attempt may help. */
  public enum Retry {
    YES,
    ONCE,
    NO
  }

  /** How much a match says; the lower the more. */
  public enum Weight {
    CAUSE,
    VICTIM,
    GENERIC
  }

  /** Pieces in their order; anchored: the first one begins the line. */
  record Pattern(boolean anchored, List<String> pieces) {
    static Pattern of(String text) {
      boolean anchored = text.startsWith("^");
      List<String> pieces =
          Stream.of(text.substring(anchored ? 1 : 0).split("\\*", -1))
              .filter(piece -> !piece.isBlank())
              .toList();
      if (pieces.isEmpty()) {
        throw new IllegalArgumentException("a pattern needs a text: '" + text + "'");
      }
      return new Pattern(anchored, pieces);
    }

    /** What the search is made fast with. */
    String longest() {
      return pieces.stream().reduce("", (a, b) -> b.length() > a.length() ? b : a);
    }

    /** Where in the line it begins, −1: it does not fit. */
    int at(String line, int from) {
      if (anchored && !line.startsWith(pieces.getFirst(), from)) {
        return -1;
      }
      int first = -1;
      int at = from;
      for (String piece : pieces) {
        int found = line.indexOf(piece, at);
        if (found < 0) {
          return -1;
        }
        first = first < 0 ? found : first;
        at = found + piece.length();
      }
      return first;
    }
  }

  /** A range of exit codes or signals. */
  record Numbers(int from, int to) {
    static Numbers of(String text) {
      int dash = text.indexOf('-');
      return dash < 0
          ? new Numbers(Integer.parseInt(text), Integer.parseInt(text))
          : new Numbers(
              Integer.parseInt(text.substring(0, dash)),
              Integer.parseInt(text.substring(dash + 1)));
    }
  }

  public FailureRule {
    patterns = List.copyOf(patterns);
    numbers = List.copyOf(numbers);
  }

  static FailureRule of(Table.Row row) {
    Where where = row.word("where", Where.class);
    boolean text = where == Where.STDERR || where == Where.ERROR_FILE;
    List<Pattern> patterns = new ArrayList<>();
    List<Numbers> numbers = new ArrayList<>();
    if (text) {
      for (String alternative : row.text("pattern").split(" \\|\\| ", -1)) {
        patterns.add(Pattern.of(alternative));
      }
    } else {
      row.words("pattern").forEach(number -> numbers.add(Numbers.of(number)));
    }
    return new FailureRule(
        row.text("id"),
        row.word("class", FailureClass.class),
        where,
        patterns,
        numbers,
        row.word("blame", Blame.class),
        row.word("retry", Retry.class),
        row.text("meaning"),
        row.text("remedy"),
        row.text("proof"));
  }

  public Weight weight() {
    if (blame == Blame.PEER) {
      return Weight.VICTIM;
    }
    return numbers.isEmpty() && !id.startsWith("any.") ? Weight.CAUSE : Weight.GENERIC;
  }

  boolean fits(int number) {
    return numbers.stream().anyMatch(range -> range.from <= number && number <= range.to);
  }

  boolean fits(String line, int from) {
    return at(line, from) >= 0;
  }

  /** Where in the line its words begin, −1: they do not stand there. */
  public int at(String line, int from) {
    for (Pattern pattern : patterns) {
      int at = pattern.at(line, from);
      if (at >= 0) {
        return at;
      }
    }
    return -1;
  }
}
