package dev.holdfast.cli.operator;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.NaturalOrder;
import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Visible;
import java.util.Comparator;
import java.util.List;

/** What comes first in a list: what somebody has to look at first. */
final class Worst {
  private static final List<String> SEVERITIES = List.of("fatal", "degraded", "warning", "info");
  private static final List<String> SERVICES =
      List.of("out", "drained", "draining", "verifying", "suspect", "in");
  private static final List<String> STANDS =
      List.of("asking", "failed", "held", "recommended", "acting", "done", "rejected", "withdrawn");

  private Worst() {}

  static Comparator<Fields> bySeverity() {
    return by(SEVERITIES, "severity");
  }

  static Comparator<Fields> byService() {
    return by(SERVICES, "service");
  }

  static Comparator<Fields> byStand() {
    return by(STANDS, "stand");
  }

  /** The newest first. */
  static Comparator<Fields> newest(String field) {
    return Comparator.comparing((Fields it) -> it.text(field, "")).reversed();
  }

  static Comparator<Fields> natural(String field) {
    return Comparator.comparing(it -> it.text(field, ""), NaturalOrder.NAMES);
  }

  private static Comparator<Fields> by(List<String> worstFirst, String field) {
    return Comparator.comparingInt(
        it -> {
          int place = worstFirst.indexOf(it.text(field, ""));
          return place < 0 ? worstFirst.size() : place;
        });
  }

  /** A word in the colour of what it means. */
  static String coloured(String word, Style style) {
    return switch (word) {
      case "fatal", "failed", "out", "asking" -> style.red(word);
      case "degraded", "warning", "held", "suspect", "draining", "drained", "verifying" ->
          style.yellow(word);
      case "in", "done" -> style.green(word);
      default -> Visible.line(word);
    };
  }
}
