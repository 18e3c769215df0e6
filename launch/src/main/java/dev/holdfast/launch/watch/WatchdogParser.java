package dev.holdfast.launch.watch;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Nearest;
import dev.holdfast.launch.watch.WatchdogConfig.Section;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Reads a configuration file of io-watchdog. Statements end at a line's end or a semicolon, {@code
 * #} begins a comment anywhere, texts may be quoted either way and know no escapes, and a backslash
 * at a line's end does not continue it.
 */
public final class WatchdogParser {
  private static final int LARGEST_FILE = 1 << 20;
  private static final List<String> WORDS =
      List.of(
          "search",
          "searchpath",
          "action",
          "program",
          "timeout",
          "timeout-method",
          "rank",
          "target",
          "actions");

  /** A piece of a statement: a text, or one of {@code = ,}. */
  private record Token(String text, boolean quoted) {
    boolean is(String mark) {
      return !quoted && text.equals(mark);
    }
  }

  private final String file;
  private final boolean compat;
  private final List<String> search = new ArrayList<>();
  private final Map<String, String> definitions = new LinkedHashMap<>();
  private final List<Section> sections = new ArrayList<>();
  private Section defaults = Section.none("");
  private int line = 1;

  private WatchdogParser(String file, boolean compat) {
    this.file = file;
    this.compat = compat;
  }

  /** Reads a file that was named by hand, or one that may be missing. */
  public static WatchdogConfig read(Path file, boolean named, boolean compat) {
    Reading reading = BoundedFile.read(file, LARGEST_FILE);
    if (reading instanceof Reading.Absent && (!named || compat)) {
      return WatchdogConfig.EMPTY;
    }
    String text =
        reading
            .text()
            .orElseThrow(() -> new HoldfastException(ErrorCode.UNREADABLE_INPUT, reading.why()));
    return parse(file.toString(), text, compat);
  }

  static WatchdogConfig parse(String file, String text, boolean compat) {
    WatchdogParser parser = new WatchdogParser(file, compat);
    parser.all(text);
    return new WatchdogConfig(parser.search, parser.definitions, parser.defaults, parser.sections);
  }

  private void all(String text) {
    List<Token> statement = new ArrayList<>();
    int i = 0;
    while (i < text.length()) {
      char at = text.charAt(i);
      if (at == '#') {
        i = end(text, i);
      } else if (at == '\n' || at == ';') {
        apply(statement);
        statement.clear();
        line += at == '\n' ? 1 : 0;
        i++;
      } else if (at == '=' || at == ',') {
        statement.add(new Token(String.valueOf(at), false));
        i++;
      } else if (at == '\'' || at == '"') {
        int close = text.indexOf(at, i + 1);
        if (close < 0 || text.substring(i, close).contains("\n")) {
          throw wrong("the quote " + at + " is not closed on this line");
        }
        statement.add(new Token(text.substring(i + 1, close), true));
        i = close + 1;
      } else if (Character.isWhitespace(at) || (at == '\\' && text.startsWith("\\\n", i))) {
        i++;
      } else {
        int start = i;
        while (i < text.length()
            && "=;,#'\"".indexOf(text.charAt(i)) < 0
            && !Character.isWhitespace(text.charAt(i))
            && !text.startsWith("\\\n", i)) {
          i++;
        }
        statement.add(new Token(text.substring(start, i), false));
      }
    }
    apply(statement);
  }

  private static int end(String text, int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end;
  }

  private void apply(List<Token> tokens) {
    if (tokens.isEmpty()) {
      return;
    }
    String word = tokens.getFirst().quoted() ? "" : tokens.getFirst().text();
    List<Token> rest = tokens.subList(1, tokens.size());
    switch (word) {
      case "search", "searchpath" -> search.addAll(0, list(word, rest));
      case "program" -> sections.add(Section.none(one(word, rest)));
      case "action" -> {
        if (rest.size() != 3 || !rest.get(1).is("=")) {
          throw wrong("expected `action NAME = COMMAND`, the command in quotes");
        }
        definitions.put(rest.getFirst().text(), rest.get(2).text());
      }
      case "timeout", "timeout-method", "rank", "target", "actions" -> set(word, value(word, rest));
      default -> {
        String text = tokens.getFirst().text();
        throw wrong(
            "'"
                + text
                + "' begins no statement"
                + Nearest.hint(text, WORDS)
                + "; known: "
                + String.join(", ", WORDS));
      }
    }
  }

  private void set(String word, List<Token> value) {
    Section old = sections.isEmpty() ? defaults : sections.getLast();
    OptionalDouble timeout = old.timeout();
    Optional<Boolean> exact = old.exact();
    OptionalInt rank = old.rank();
    Optional<String> target = old.target();
    List<String> actions = new ArrayList<>(old.actions());
    switch (word) {
      case "timeout" ->
          timeout = OptionalDouble.of(WatchdogTimeout.parse(place(), one(word, value), compat));
      case "timeout-method" -> exact = Optional.of(method(one(word, value)));
      case "rank" -> rank = OptionalInt.of(rank(one(word, value)));
      case "target" -> target = Optional.of(one(word, value));
      default -> actions.addAll(list(word, value));
    }
    Section fresh = new Section(old.program(), timeout, exact, rank, target, actions);
    if (sections.isEmpty()) {
      defaults = fresh;
    } else {
      sections.set(sections.size() - 1, fresh);
    }
  }

  private boolean method(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "sloppy", "default" -> false;
      case "exact" -> true;
      default -> throw wrong("timeout-method: expected sloppy or exact, found '" + text + "'");
    };
  }

  private int rank(String text) {
    if (!text.matches("[0-9]{1,7}")) {
      throw wrong("rank: expected a number from 0 on, found '" + text + "'");
    }
    return Integer.parseInt(text);
  }

  private List<Token> value(String word, List<Token> rest) {
    if (rest.isEmpty() || !rest.getFirst().is("=")) {
      throw wrong("expected `" + word + " = …`");
    }
    return rest.subList(1, rest.size());
  }

  private String one(String word, List<Token> tokens) {
    if (tokens.size() != 1 || tokens.getFirst().is("=") || tokens.getFirst().is(",")) {
      throw wrong(word + ": expected one value, found " + tokens.size());
    }
    return tokens.getFirst().text();
  }

  private List<String> list(String word, List<Token> tokens) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (i % 2 == 1 ? !token.is(",") : token.is(",") || token.is("=")) {
        throw wrong(word + ": expected names separated by commas, found '" + token.text() + "'");
      }
      if (i % 2 == 0) {
        values.add(token.text());
      }
    }
    if (tokens.size() % 2 == 0) {
      throw wrong(word + ": a name is missing" + (values.isEmpty() ? "" : " after the comma"));
    }
    return values;
  }

  private String place() {
    return file + ":" + line;
  }

  private HoldfastException wrong(String what) {
    return new HoldfastException(ErrorCode.BAD_CONFIGURATION, place() + ": " + what);
  }
}
