package dev.holdfast.core.report;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement of one source, to be applied once: whoever has applied ({@code epoch}, {@code
 * sequence}) of a source leaves aside what is not beyond it.
 *
 * @param source who says it: {@code node/n17}, {@code run/local-…}, {@code site/name}, {@code
 *     public/name}
 * @param epoch the life of the source; a later one is larger, whatever the clock does
 * @param sequence counts from 1 in each epoch, without gaps
 * @param at when the source learned of it, by its own clock
 */
public record Report(String source, long epoch, long sequence, Instant at, Statement statement) {
  /** A line of JSON longer than this is refused. */
  public static final int MAX_LINE = 64 * 1024;

  /** Names between slashes, as in subjects. */
  private static final Pattern SOURCE = Pattern.compile("[A-Za-z0-9._:@+-]+(/[A-Za-z0-9._:@+-]+)*");

  private static final int MAX_SOURCE = 200;

  public Report {
    boolean named = source.length() <= MAX_SOURCE && SOURCE.matcher(source).matches();
    if (!named || epoch < 1 || sequence < 1) {
      throw new IllegalArgumentException(
          "not a report: source '" + source + "', epoch " + epoch + ", sequence " + sequence);
    }
  }

  public String line() {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("source", source);
    tree.put("epoch", epoch);
    tree.put("sequence", sequence);
    tree.put("at", Times.show(at));
    tree.put("kind", statement.kind());
    tree.putAll(statement.json());
    return Json.line(tree);
  }

  public static Report of(String line) {
    if (line.length() > MAX_LINE) {
      throw new IllegalArgumentException(
          "a report of " + line.length() + " characters; " + MAX_LINE + " are allowed");
    }
    return of(Fields.of("report", Json.object(line)));
  }

  /**
   * A statement that cannot be taken does not hold up what its source says after it: as long as it
   * is known whose it is and where in the order it stands, it is a report, of {@link
   * Statement.Refused}.
   */
  public static Report of(Fields fields) {
    Instant at = Instant.EPOCH;
    Statement statement;
    try {
      at = Times.read(fields.text("at"));
      statement = Statement.of(fields);
    } catch (IllegalArgumentException wrong) {
      statement = Statement.Refused.of(fields, wrong);
    }
    return new Report(
        fields.text("source"), fields.number("epoch"), fields.number("sequence"), at, statement);
  }
}
