package dev.holdfast.doctor.compare;

import dev.holdfast.core.health.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * How facts of one name are compared, from the table {@code facts.tsv}.
 *
 * @param name a fact, or a beginning and {@code *}
 * @param tolerance the share of a value by which neighbours may differ; 0 for texts
 */
record FactKind(String name, double tolerance, Severity severity) {
  private static final List<FactKind> TABLE = table();

  static FactKind of(String fact) {
    return TABLE.stream().filter(kind -> kind.fits(fact)).findFirst().orElseThrow();
  }

  private boolean fits(String fact) {
    return name.endsWith("*")
        ? fact.startsWith(name.substring(0, name.length() - 1))
        : fact.equals(name);
  }

  private static List<FactKind> table() {
    try (InputStream stream =
        Objects.requireNonNull(FactKind.class.getResourceAsStream("facts.tsv"))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#") && !line.startsWith("name\t"))
          .map(line -> line.split("\t"))
          .map(
              cells ->
                  new FactKind(
                      cells[0],
                      Double.parseDouble(cells[1]),
                      Severity.valueOf(cells[2].toUpperCase(Locale.ROOT))))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
