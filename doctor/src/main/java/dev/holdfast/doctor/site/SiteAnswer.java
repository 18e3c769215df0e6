package dev.holdfast.doctor.site;

import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The one JSON object a site check prints, judged strictly, so that its author learns of a slip at
 * once: unknown keys, wrong types and words are refused by name.
 *
 * @param subject a part of the node such as {@code gpu/3}; empty for the node itself
 */
record SiteAnswer(
    Outcome outcome,
    Severity severity,
    String summary,
    List<Evidence> evidence,
    String meaning,
    String remedy,
    String subject,
    Map<String, Long> counters) {
  private static final TreeSet<String> KEYS =
      new TreeSet<>(
          List.of(
              "outcome",
              "severity",
              "summary",
              "evidence",
              "meaning",
              "remedy",
              "subject",
              "counters"));
  private static final int MAX_SUMMARY = 300;
  private static final int MAX_TEXT = 2000;
  private static final int MAX_ENTRIES = 50;

  /** Reads what was printed; {@link IllegalArgumentException} says what is wrong with it. */
  static SiteAnswer parse(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("it printed nothing; expected one JSON object");
    }
    Map<String, @Nullable Object> tree = Json.object(text.strip());
    for (String key : tree.keySet()) {
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException("unknown key '" + key + "'" + Nearest.hint(key, KEYS));
      }
    }
    Outcome outcome = word(Outcome.class, tree, "outcome", null);
    Severity severity = severity(tree, outcome);
    String summary = text(tree, "summary", MAX_SUMMARY);
    if (summary.isEmpty() && outcome != Outcome.PASS) {
      throw new IllegalArgumentException("'summary' is missing: say what is wrong, or why skipped");
    }
    return new SiteAnswer(
        outcome,
        severity,
        summary,
        evidence(tree),
        text(tree, "meaning", MAX_TEXT),
        text(tree, "remedy", MAX_TEXT),
        text(tree, "subject", MAX_SUMMARY),
        counters(tree));
  }

  private static Severity severity(Map<String, @Nullable Object> tree, Outcome outcome) {
    Severity usual = outcome == Outcome.FAIL ? Severity.DEGRADED : Severity.WARNING;
    Severity severity = word(Severity.class, tree, "severity", usual);
    boolean bad = outcome == Outcome.FAIL || outcome == Outcome.WARN;
    boolean fits = (outcome == Outcome.FAIL) == severity.atLeast(Severity.DEGRADED);
    if (bad && !fits) {
      throw new IllegalArgumentException(
          "'severity' %s does not fit 'outcome' %s: warn is info or warning, fail degraded or fatal"
              .formatted(severity.word(), outcome.word()));
    }
    return severity;
  }

  private static <E extends Enum<E>> E word(
      Class<E> type, Map<String, @Nullable Object> tree, String key, @Nullable E usual) {
    String given = text(tree, key, MAX_SUMMARY);
    if (given.isEmpty() && usual != null) {
      return usual;
    }
    TreeSet<String> words = new TreeSet<>();
    for (E value : type.getEnumConstants()) {
      String word = value.name().toLowerCase(Locale.ROOT);
      words.add(word);
      if (word.equals(given)) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        given.isEmpty()
            ? "'" + key + "' is missing: one of " + words
            : "'" + key + "' is '" + given + "': one of " + words);
  }

  private static String text(Map<String, @Nullable Object> tree, String key, int most) {
    Object value = tree.get(key);
    if (value == null) {
      return "";
    }
    if (!(value instanceof String text)) {
      throw new IllegalArgumentException("'" + key + "' is not a text");
    }
    String stripped = text.strip();
    return stripped.length() <= most ? stripped : stripped.substring(0, most - 1) + "…";
  }

  private static List<Evidence> evidence(Map<String, @Nullable Object> tree) {
    List<Evidence> evidence = new ArrayList<>();
    for (Object entry : entries(tree)) {
      switch (entry) {
        case String text -> evidence.add(new Evidence("said", text));
        case Map<?, ?> map when map.get("source") instanceof String source ->
            evidence.add(new Evidence(source, String.valueOf(map.get("value"))));
        case null, default ->
            throw new IllegalArgumentException(
                "'evidence' holds something other than texts and {source, value} objects");
      }
    }
    return evidence;
  }

  private static List<?> entries(Map<String, @Nullable Object> tree) {
    return switch (tree.get("evidence")) {
      case null -> List.of();
      case List<?> list -> list.subList(0, Math.min(MAX_ENTRIES, list.size()));
      default -> throw new IllegalArgumentException("'evidence' is not a list");
    };
  }

  private static Map<String, Long> counters(Map<String, @Nullable Object> tree) {
    Map<String, Long> counters = new LinkedHashMap<>();
    switch (tree.get("counters")) {
      case null -> {}
      case Map<?, ?> map when map.size() <= MAX_ENTRIES ->
          map.forEach(
              (name, value) -> {
                if (!(value instanceof Long number) || number < 0) {
                  throw new IllegalArgumentException(
                      "counter '" + name + "' is not a whole number");
                }
                counters.put(String.valueOf(name), number);
              });
      default ->
          throw new IllegalArgumentException(
              "'counters' is not an object of at most " + MAX_ENTRIES + " numbers");
    }
    return counters;
  }
}
