package dev.holdfast.core.forensics;

import dev.holdfast.core.forensics.FailureRule.Weight;
import dev.holdfast.core.forensics.FailureRule.Where;
import dev.holdfast.core.text.MarkerIndex;
import dev.holdfast.core.text.Table;
import dev.holdfast.core.text.Wrap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What did this one rank die of, by its own words?
 *
 * <p>All rules are looked for in one pass over the text (the longest piece of each pattern goes
 * into one automaton); only where a piece is found are whole patterns tried, each once a line. The
 * first row of the table that fits wins, not the last line: a rank that runs out of memory also
 * complains about the connections it then loses.
 */
public final class FailureRules {
  private static final int MAX_LINES = 4_000;
  private static final int MAX_CHARACTERS = 256 * 1024;
  private static final int MAX_LINE = 4_096;
  private static final int SHOWN = 240;

  private static final List<FailureRule> ENTRIES =
      Table.read(FailureRules.class, "failure-rules.tsv", FailureRule::of);
  private static final MarkerIndex INDEX = new MarkerIndex(markers());

  private FailureRules() {}

  /**
   * What fits a rank.
   *
   * @param rule none: it did not fail, or said nothing and ended like nothing we know
   * @param line what it said, the exception where there is one; empty: it said nothing
   */
  public record Match(@Nullable FailureRule rule, String line) {
    /** The rank complains of another one and of nothing else. */
    public boolean victim() {
      return rule != null && rule.weight() == Weight.VICTIM;
    }

    boolean generic() {
      return rule != null && rule.weight() == Weight.GENERIC;
    }
  }

  public static List<FailureRule> all() {
    return ENTRIES;
  }

  /**
   * For each row of {@link #all()} the pieces of text of which a line must hold one before {@link
   * #best} is worth asking; none for rows about exit codes and signals.
   */
  public static List<List<String>> markers() {
    return ENTRIES.stream()
        .map(rule -> rule.patterns().stream().map(FailureRule.Pattern::longest).toList())
        .toList();
  }

  /**
   * Of the rows whose bit is set, the first by weight and order that fits a line a rank wrote; −1:
   * none.
   *
   * @param hits as a {@link MarkerIndex} over {@link #markers()} sets them; further bits are of no
   *     interest
   */
  public static int best(long[] hits, String line) {
    int from = ErrorText.prefix(line);
    int best = -1;
    for (int word = 0; word < hits.length; word++) {
      for (long bits = hits[word]; bits != 0; bits &= bits - 1) {
        int row = word * 64 + Long.numberOfTrailingZeros(bits);
        if (row < ENTRIES.size()
            && ENTRIES.get(row).where() == Where.STDERR
            && (best < 0 || Search.better(row, best))
            && ENTRIES.get(row).fits(line, from)) {
          best = row;
        }
      }
    }
    return best;
  }

  public static Optional<FailureRule> byId(String id) {
    return ENTRIES.stream().filter(rule -> rule.id().equals(id)).findFirst();
  }

  /** What the rank died of, by its error file, its last lines and the way it ended. */
  public static Match classify(RankEvidence evidence) {
    Search search = new Search();
    List<String> message = ErrorText.lines(evidence.errorMessage(), MAX_LINES);
    search.read(message, true);
    search.read(tail(evidence.lastLines()), false);
    FailureRule ending = ending(evidence);
    if (search.best < 0) {
      return new Match(ending, lastWords(message, evidence.lastLines()));
    }
    FailureRule rule = ENTRIES.get(search.best);
    if (ending != null && evidence.signal() == 9 && !explainsKill(rule)) {
      return new Match(ending, search.line);
    }
    if (ending != null
        && rule.weight() == Weight.GENERIC
        && ending.retry() == FailureRule.Retry.NO) {
      return new Match(ending, search.line);
    }
    boolean exception = rule.id().equals("any.traceback");
    return new Match(rule, exception ? lastWords(message, evidence.lastLines()) : search.line);
  }

  /** A text in the log does not make signal 9 come from outside, unless it tells of just that. */
  private static boolean explainsKill(FailureRule rule) {
    return switch (rule.kind()) {
      case HOST_OUT_OF_MEMORY, PREEMPTION, LOST_NODE -> !rule.id().equals("host.oom-allocator");
      default -> false;
    };
  }

  private static @Nullable FailureRule ending(RankEvidence evidence) {
    for (FailureRule rule : ENTRIES) {
      if ((rule.where() == Where.SIGNAL && evidence.signal() > 0 && rule.fits(evidence.signal()))
          || (rule.where() == Where.EXIT
              && evidence.signal() == 0
              && evidence.exitCode() > 0
              && rule.fits(evidence.exitCode()))) {
        return rule;
      }
    }
    return null;
  }

  private static String lastWords(List<String> message, List<String> lines) {
    String exception = ErrorText.exception(message);
    if (exception.isEmpty()) {
      exception = ErrorText.exception(lines);
    }
    return Wrap.cut(exception, SHOWN);
  }

  private static List<String> tail(List<String> lines) {
    int characters = 0;
    int first = lines.size();
    while (first > 0
        && lines.size() - first < MAX_LINES
        && characters + lines.get(first - 1).length() <= MAX_CHARACTERS) {
      first--;
      characters += lines.get(first).length();
    }
    return lines.subList(first, lines.size());
  }

  /** The lowest row found so far, and where. */
  private static final class Search {
    private final long[] hits = new long[INDEX.words()];
    private int best = -1;
    private String line = "";

    void read(List<String> lines, boolean errorFile) {
      for (String text : lines) {
        int end = Math.min(text.length(), MAX_LINE);
        if (INDEX.scan(text, 0, end, hits)) {
          judge(text.substring(0, end), errorFile);
        }
      }
    }

    private void judge(String text, boolean errorFile) {
      int from = ErrorText.prefix(text);
      for (int row : rows()) {
        FailureRule rule = ENTRIES.get(row);
        boolean here =
            rule.where() == Where.STDERR || (errorFile && rule.where() == Where.ERROR_FILE);
        if (here && (best < 0 || better(row, best)) && rule.fits(text, from)) {
          best = row;
          line = Wrap.cut(text.substring(from).strip(), SHOWN);
        }
      }
    }

    private List<Integer> rows() {
      List<Integer> rows = new ArrayList<>();
      for (int word = 0; word < hits.length; word++) {
        for (long bits = hits[word]; bits != 0; bits &= bits - 1) {
          rows.add(word * 64 + Long.numberOfTrailingZeros(bits));
        }
      }
      return rows;
    }

    private static boolean better(int row, int best) {
      int weight = ENTRIES.get(row).weight().compareTo(ENTRIES.get(best).weight());
      return weight != 0 ? weight < 0 : row < best;
    }
  }
}
