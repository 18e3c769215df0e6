package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.policy.KnownCheck;
import dev.holdfast.core.policy.KnownRow;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.Power;
import dev.holdfast.core.policy.Rung;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Wrap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What each rule may act on, for people and for programs. People get names as long as there are few
 * of them, and codes as ranges; programs get all.
 */
final class PowerReport {
  private static final int MOST_CHECKS = 12;
  private static final int MOST_ROWS = 6;
  private static final int MOST_RANGES = 20;

  private final Policy policy;
  private final List<Power> powers;

  PowerReport(Policy policy, List<Power> powers) {
    this.policy = policy;
    this.powers = powers;
  }

  String text(Console console) {
    StringBuilder out = new StringBuilder();
    for (Power power : powers) {
      if (power.rule().then() != Rung.NOTE) {
        out.append(console.style().bold(power.rule().id()))
            .append(": ")
            .append(power.rule().then().word())
            .append('\n');
        if (power.rule().enforce()) {
          line(out, "acts on", power.acting(), console);
          power
              .recommending()
              .forEach((why, checks) -> line(out, "recommends, " + why, checks, console));
        } else {
          line(out, "recommends, no 'enforce: true'; with it acts on", power.acting(), console);
        }
      }
    }
    return out.append("accept: ").append(accepted(policy)).append("\n\n").toString();
  }

  static String accepted(Policy policy) {
    return policy
        .accept()
        .least()
        .map(Proof::word)
        .orElse("not said; checks act that are recorded, rows of tables do not");
  }

  private static void line(
      StringBuilder out, String head, List<KnownCheck> checks, Console console) {
    String text = head + ": " + (checks.isEmpty() ? "nothing" : checks(checks));
    out.append("  ").append(Wrap.hanging(text, 4, console.width())).append('\n');
  }

  /** Names of few, numbers of many; those with a table always by name. */
  private static String checks(List<KnownCheck> checks) {
    List<String> parts = new ArrayList<>();
    List<String> plain =
        checks.stream().filter(it -> it.rows().isEmpty()).map(KnownCheck::id).toList();
    if (plain.size() <= MOST_CHECKS) {
      parts.addAll(plain);
    } else {
      plain.stream()
          .collect(Collectors.groupingBy(PowerReport::group, TreeMap::new, Collectors.counting()))
          .forEach((group, count) -> parts.add("%d %s.*".formatted(count, group)));
    }
    checks.stream()
        .filter(it -> !it.rows().isEmpty())
        .forEach(it -> parts.add(it.id() + " (" + rows(it.rows()) + ")"));
    return String.join(", ", parts);
  }

  private static String group(String id) {
    return id.substring(0, id.indexOf('.'));
  }

  /** {@code Xid 48, 62, 64, 119-120}; rows without a number by name while they are few. */
  static String rows(List<KnownRow> rows) {
    Map<String, TreeSet<Integer>> codes = new LinkedHashMap<>();
    TreeSet<String> names = new TreeSet<>();
    for (KnownRow row : rows) {
      String[] words = row.name().split(" ", 3);
      if (words.length == 2) {
        codes.computeIfAbsent(words[0], _ -> new TreeSet<>()).add(Integer.valueOf(words[1]));
      } else {
        names.add(row.name());
      }
    }
    List<String> parts = new ArrayList<>();
    codes.forEach(
        (kind, numbers) -> {
          List<String> ranges = ranges(numbers);
          parts.add(
              ranges.size() <= MOST_RANGES
                  ? kind + " " + String.join(", ", ranges)
                  : numbers.size() + " kinds of " + kind);
        });
    if (names.size() <= MOST_ROWS) {
      parts.addAll(names);
    } else {
      parts.add(names.size() + (codes.isEmpty() ? " kinds of lines" : " decoded forms"));
    }
    return String.join(", ", parts);
  }

  private static List<String> ranges(TreeSet<Integer> numbers) {
    List<String> parts = new ArrayList<>();
    int first = numbers.first();
    for (int number : numbers) {
      if (!numbers.contains(number - 1)) {
        first = number;
      }
      if (!numbers.contains(number + 1)) {
        parts.add(first == number ? "" + first : first + "-" + number);
      }
    }
    return parts;
  }

  List<Map<String, @Nullable Object>> json() {
    return powers.stream().map(PowerReport::json).toList();
  }

  private static Map<String, @Nullable Object> json(Power power) {
    return Json.map(
        "rule",
        power.rule().id(),
        "then",
        power.rule().then().word(),
        "enforce",
        power.rule().enforce(),
        "acting",
        power.acting().stream().map(PowerReport::json).toList(),
        "recommending",
        power.recommending().entrySet().stream()
            .flatMap(
                it ->
                    it.getValue().stream()
                        .map(
                            check -> {
                              Map<String, @Nullable Object> tree = json(check);
                              tree.put("why", it.getKey());
                              return tree;
                            }))
            .toList());
  }

  private static Map<String, @Nullable Object> json(KnownCheck check) {
    List<String> rows = check.rows().stream().map(KnownRow::name).distinct().toList();
    return Json.map("check", check.id(), "rows", rows.isEmpty() ? null : rows);
  }
}
