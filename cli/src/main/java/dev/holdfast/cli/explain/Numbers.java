package dev.holdfast.cli.explain;

import dev.holdfast.core.forensics.ErrorNumber;
import dev.holdfast.core.forensics.Signal;
import dev.holdfast.core.kernel.SxidCatalogue;
import dev.holdfast.core.kernel.XidCatalogue;
import dev.holdfast.core.network.CompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What does a number mean? It depends on the table: each has a word to ask it by. */
final class Numbers {
  private record NumberTable(String word, IntFunction<Optional<Answer>> find) {}

  private static final List<NumberTable> TABLES =
      List.of(
          new NumberTable("xid", code -> XidCatalogue.find(code).map(CodeAnswers::of)),
          new NumberTable("sxid", code -> SxidCatalogue.find(code).map(CodeAnswers::of)),
          new NumberTable("exit", CodeAnswers::exit),
          new NumberTable("signal", code -> Signal.find(code).map(CodeAnswers::of)),
          new NumberTable("status", code -> CompletionStatus.find(code).map(CodeAnswers::of)),
          new NumberTable("errno", code -> ErrorNumber.find(code).map(CodeAnswers::of)));

  private static final Pattern NAMED =
      Pattern.compile(
          "(s?xid|exit|signal|status|errno)(?:[ _-]?(?:code|status|number))?[\\s:=#]*(-?\\d{1,9})");
  private static final Pattern BARE = Pattern.compile("-?\\d{1,9}");

  private Numbers() {}

  /** Whether it is a number and nothing else. */
  static boolean bare(String text) {
    return BARE.matcher(text).matches();
  }

  /** {@code xid 79}, {@code exit code 137}, {@code status=12}. */
  static Optional<Answer> named(String text) {
    Matcher named = NAMED.matcher(text.toLowerCase(Locale.ROOT));
    return named.matches()
        ? find(named.group(1), Integer.parseInt(named.group(2)))
        : Optional.empty();
  }

  static Optional<Answer> find(String word, int code) {
    return TABLES.stream()
        .filter(table -> table.word.equals(word))
        .findFirst()
        .flatMap(table -> table.find.apply(code));
  }

  /** The one meaning there is, or which tables know it and how to ask for one of them. */
  static Optional<Answer> meanings(int code) {
    if (code < 0) {
      return CodeAnswers.exit(code);
    }
    List<Answer> known = new ArrayList<>();
    List<String> words = new ArrayList<>();
    for (NumberTable table : TABLES) {
      table
          .find
          .apply(code)
          .ifPresent(
              answer -> {
                known.add(answer);
                words.add(table.word + " " + code);
              });
    }
    if (known.size() <= 1) {
      return known.stream().findFirst();
    }
    Answer all = Answer.of(String.valueOf(code), "means something else in each of these tables");
    for (int table = 0; table < known.size(); table++) {
      all = all.with(words.get(table), known.get(table).what());
    }
    return Optional.of(all.with("ask", "holdfast explain " + words.getFirst()));
  }
}
