package dev.holdfast.core.network;

import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How did a work request of InfiniBand or RoCE end? {@code completion-status.tsv}: what {@code
 * status=12} of NCCL's and RCCL's "Got completion" means.
 *
 * @param text as libibverbs prints it
 * @param blame whom to look at first
 */
public record CompletionStatus(
    int number,
    String name,
    String text,
    String blame,
    String meaning,
    String remedy,
    String source) {
  private static final List<CompletionStatus> ENTRIES =
      Table.read(CompletionStatus.class, "completion-status.tsv", CompletionStatus::of);
  private static final Pattern SAID =
      Pattern.compile(
          "(?:[Cc]ompletion|CQE|\\bwc\\b)[^\\n]{0,400}?(?:\\bstatus ?[=:]? ?|\\berror )"
              + "(\\d{1,2})(?![0-9])");
  private static final Pattern NAMED = Pattern.compile("\\bIBV_WC_[A-Z_]{3,30}");

  private static CompletionStatus of(Table.Row row) {
    return new CompletionStatus(
        row.whole("number"),
        row.text("name"),
        row.text("text"),
        row.text("blame"),
        row.text("meaning"),
        row.text("remedy"),
        row.text("source"));
  }

  /** Every status, by number. */
  public static List<CompletionStatus> entries() {
    return ENTRIES;
  }

  public static Optional<CompletionStatus> find(int number) {
    return ENTRIES.stream().filter(entry -> entry.number == number).findFirst();
  }

  /** By its name, with or without {@code IBV_WC_}. */
  public static Optional<CompletionStatus> find(String name) {
    String wanted = name.toUpperCase(Locale.ROOT);
    return ENTRIES.stream()
        .filter(entry -> entry.name.equals(wanted) || entry.name.equals("IBV_WC_" + wanted))
        .findFirst();
  }

  /** Which one a line tells of: by number behind a completion, by name, or by libibverbs' words. */
  public static Optional<CompletionStatus> in(String line) {
    Matcher named = NAMED.matcher(line);
    if (named.find()) {
      return find(named.group());
    }
    Matcher said = SAID.matcher(line);
    if (said.find()) {
      return find(Integer.parseInt(said.group(1)));
    }
    return ENTRIES.stream()
        .filter(entry -> entry.text.contains("counter") || entry.text.contains("Flushed"))
        .filter(entry -> line.contains(entry.text))
        .findFirst();
  }
}
