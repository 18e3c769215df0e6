package dev.holdfast.doctor.site;

import dev.holdfast.core.health.Fact;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import dev.holdfast.doctor.inventory.FactNames;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** An expectation file as a person would write it: grouped, commented, ready to be shortened. */
final class ExpectationText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/][A-Za-z0-9 ._/()+=,@-]*");
  private static final Set<String> WORDS = Set.of("null", "Null", "NULL");

  private ExpectationText() {}

  static String write(List<Fact> facts) {
    StringBuilder text = new StringBuilder();
    text.append(
        "# What a good node of this kind consists of; use it with: holdfast doctor --expect FILE\n");
    if (!facts.isEmpty()) {
      Fact any = facts.getFirst();
      text.append("# Learnt from ").append(any.subject());
      text.append(" at ").append(Times.show(any.time())).append(".\n");
    }
    text.append(
        """
        # Delete what need not be the same everywhere. Instead of one value there may be
        #   a list of allowed values    [570.124.06, 580.95.05]
        #   a range                     {least: 570.124.06}  or  {least: 64, most: 128}
        # Sizes in bytes may be written 2 TiB and may differ by 3 %.
        """);
    text.append("schema: ").append(Expectation.SCHEMA).append('\n');
    for (FactNames.Group group : FactNames.groups()) {
      List<Fact> own =
          facts.stream().filter(fact -> FactNames.groupOf(fact.name()).equals(group)).toList();
      if (!own.isEmpty()) {
        text.append("\n# ").append(group.title()).append('\n');
        text.append(group.key()).append(":\n");
        own.forEach(fact -> line(text, fact));
      }
    }
    return text.toString();
  }

  private static void line(StringBuilder text, Fact fact) {
    text.append("  ").append(scalar(fact.name())).append(": ").append(scalar(fact.value()));
    if (fact.unit().equals("bytes") && fact.value().matches("\\d{1,18}")) {
      text.append("  # ").append(Bytes.of(Long.parseLong(fact.value())));
    }
    text.append('\n');
  }

  /** Plain where YAML takes it for nothing else, otherwise in quotes. */
  private static String scalar(String value) {
    boolean plain =
        PLAIN.matcher(value).matches() && !WORDS.contains(value) && !value.endsWith(" ");
    return plain ? value : Json.line(value);
  }
}
