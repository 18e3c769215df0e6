package dev.holdfast.core.policy;

import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Accept;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Hostlist;
import dev.holdfast.core.text.Nearest;
import dev.holdfast.core.text.Setting;
import dev.holdfast.core.text.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What does a policy file say? Everything in it is known or refused, with file, line and the
 * nearest known word: a misspelt condition would otherwise make a rule fit more than was meant.
 */
public final class PolicyYaml {
  public static final String SCHEMA = "holdfast.policy/1";

  /** What holds where a file says nothing of it. */
  public static final Guard GUARD = new Guard(0.05, 32, 2, 2, 8, Duration.ofMinutes(10));

  static final Duration SILENCE = Duration.ofSeconds(45);
  static final int OFFENDER_TIMES = 3;
  static final Duration OFFENDER_WITHIN = Duration.ofDays(30);

  private static final List<String> KEYS =
      List.of("schema", "name", "accept", "silence", "offender", "guard", "maintenance", "rules");
  private static final List<String> GUARD_KEYS =
      List.of("share", "nodes", "perRack", "perJob", "burst", "window");
  private static final List<String> RULE_KEYS =
      List.of("id", "when", "then", "enforce", "approval", "coolDown", "settle", "reason");
  private static final List<String> WHEN_KEYS =
      List.of("checks", "class", "severity", "repeated", "cause", "job", "offender");
  private static final List<String> WINDOW_KEYS = List.of("nodes", "from", "until", "why");
  private static final List<String> OFTEN_KEYS = List.of("times", "within");
  private static final List<String> REPEATED_KEYS = List.of("times", "within", "of");

  private PolicyYaml() {}

  /** The policy in a text; {@code file} names it in messages. */
  public static Policy read(String file, String text) {
    Setting root = Setting.read(file, text);
    Map<String, Setting> keys = root.mapping(KEYS);
    Setting schema = required(root, keys, "schema");
    if (!schema.text().equals(SCHEMA)) {
      throw schema.wrong("expected " + SCHEMA + ", found '" + schema.text() + "'");
    }
    Optional<Map<String, Setting>> offender = some(keys, "offender").map(it -> often(it));
    try {
      return new Policy(
          required(root, keys, "name").text(),
          some(keys, "accept")
              .map(it -> Accept.of(word(it, Arrays.asList(Proof.values()), Proof::word)))
              .orElse(Accept.UNSAID),
          rules(required(root, keys, "rules")),
          some(keys, "guard").map(PolicyYaml::guard).orElse(GUARD),
          each(keys, "maintenance", PolicyYaml::window),
          some(keys, "silence").map(PolicyYaml::duration).orElse(SILENCE),
          offender.flatMap(it -> some(it, "times")).map(PolicyYaml::whole).orElse(OFFENDER_TIMES),
          offender
              .flatMap(it -> some(it, "within"))
              .map(PolicyYaml::duration)
              .orElse(OFFENDER_WITHIN));
    } catch (IllegalArgumentException wrong) {
      throw root.wrong(String.valueOf(wrong.getMessage()));
    }
  }

  private static Map<String, Setting> often(Setting setting) {
    return setting.mapping(OFTEN_KEYS);
  }

  private static List<Rule> rules(Setting list) {
    List<Rule> rules = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Setting each : list.list()) {
      Rule rule = rule(each);
      if (!names.add(rule.id())) {
        throw each.wrong("two rules are called '" + rule.id() + "'");
      }
      rules.add(rule);
    }
    return rules;
  }

  private static Rule rule(Setting setting) {
    Map<String, Setting> keys = setting.mapping(RULE_KEYS);
    Setting then = required(setting, keys, "then");
    Setting reason = required(setting, keys, "reason");
    When when =
        some(keys, "when")
            .map(PolicyYaml::when)
            .orElseThrow(() -> setting.wrong("'when' is missing: what does the rule look for?"));
    try {
      return new Rule(
          required(setting, keys, "id").text(),
          when,
          word(then, Arrays.asList(Rung.values()), Rung::word),
          some(keys, "enforce").map(Setting::flag).orElse(false),
          some(keys, "approval").map(Setting::flag).orElse(false),
          some(keys, "coolDown").map(PolicyYaml::duration).orElse(Duration.ZERO),
          some(keys, "settle").map(PolicyYaml::duration).orElse(Duration.ZERO),
          reason.text());
    } catch (IllegalArgumentException wrong) {
      throw setting.wrong(String.valueOf(wrong.getMessage()));
    }
  }

  private static When when(Setting setting) {
    Map<String, Setting> keys = setting.mapping(WHEN_KEYS);
    return new When(
        words(keys, "checks", PolicyYaml::pattern),
        new LinkedHashSet<>(
            words(
                keys, "class", it -> word(it, Arrays.asList(FaultClass.values()), c -> c.word()))),
        some(keys, "severity")
            .map(it -> word(it, Arrays.asList(Severity.values()), Severity::word))
            .orElse(Severity.DEGRADED),
        some(keys, "repeated").map(PolicyYaml::repeated),
        new LinkedHashSet<>(words(keys, "cause", Setting::text)),
        some(keys, "job")
            .map(it -> word(it, Arrays.asList(When.JobState.values()), PolicyYaml::small))
            .orElse(When.JobState.ANY),
        some(keys, "offender").map(Setting::flag).orElse(false));
  }

  static String small(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String pattern(Setting setting) {
    String text = setting.text();
    int star = text.indexOf('*');
    if (star >= 0 && star != text.length() - 1) {
      throw setting.wrong("'*' may stand at the end only, as in gpu.ecc.*");
    }
    return text;
  }

  private static When.Repeated repeated(Setting setting) {
    Map<String, Setting> keys = setting.mapping(REPEATED_KEYS);
    boolean wholeNode =
        some(keys, "of")
            .map(it -> word(it, List.of("part", "node"), w -> w))
            .orElse("part")
            .equals("node");
    try {
      return new When.Repeated(
          whole(required(setting, keys, "times")),
          duration(required(setting, keys, "within")),
          wholeNode);
    } catch (IllegalArgumentException wrong) {
      throw setting.wrong(String.valueOf(wrong.getMessage()));
    }
  }

  private static Guard guard(Setting setting) {
    Map<String, Setting> keys = setting.mapping(GUARD_KEYS);
    try {
      return new Guard(
          some(keys, "share").map(PolicyYaml::share).orElse(GUARD.share()),
          some(keys, "nodes").map(PolicyYaml::whole).orElse(GUARD.nodes()),
          some(keys, "perRack").map(PolicyYaml::whole).orElse(GUARD.perRack()),
          some(keys, "perJob").map(PolicyYaml::whole).orElse(GUARD.perJob()),
          some(keys, "burst").map(PolicyYaml::whole).orElse(GUARD.burst()),
          some(keys, "window").map(PolicyYaml::duration).orElse(GUARD.window()));
    } catch (IllegalArgumentException wrong) {
      throw setting.wrong(String.valueOf(wrong.getMessage()));
    }
  }

  private static Window window(Setting setting) {
    Map<String, Setting> keys = setting.mapping(WINDOW_KEYS);
    Setting nodes = required(setting, keys, "nodes");
    if (!nodes.text().equals("*")) {
      try {
        var _ = Hostlist.expand(nodes.text());
      } catch (HoldfastException wrong) {
        throw nodes.wrong(wrong.detail());
      }
    }
    Instant from = time(required(setting, keys, "from"));
    Instant until = time(required(setting, keys, "until"));
    if (!from.isBefore(until)) {
      throw setting.wrong("it ends before it begins");
    }
    return new Window(from, until, nodes.text(), required(setting, keys, "why").text());
  }

  // Values of every kind.

  private static Setting required(Setting owner, Map<String, Setting> keys, String key) {
    return some(keys, key).orElseThrow(() -> owner.wrong("'" + key + "' is missing"));
  }

  private static Optional<Setting> some(Map<String, Setting> keys, String key) {
    return Optional.ofNullable(keys.get(key));
  }

  private static <T> List<T> each(
      Map<String, Setting> keys, String key, Function<Setting, T> reader) {
    return some(keys, key).stream().flatMap(it -> it.list().stream()).map(reader).toList();
  }

  /** One word or a list of them. */
  private static <T> List<T> words(
      Map<String, Setting> keys, String key, Function<Setting, T> reader) {
    return some(keys, key).stream()
        .flatMap(it -> it.isList() ? it.list().stream() : java.util.stream.Stream.of(it))
        .map(reader)
        .toList();
  }

  private static <T> T word(Setting setting, List<T> known, Function<T, String> word) {
    for (T each : known) {
      if (word.apply(each).equals(setting.text())) {
        return each;
      }
    }
    List<String> words = known.stream().map(word).toList();
    throw setting.wrong(
        "'%s' is none of %s%s"
            .formatted(
                setting.text(),
                words.stream().collect(Collectors.joining(", ")),
                Nearest.hint(setting.text(), words)));
  }

  private static Duration duration(Setting setting) {
    try {
      return Durations.parse(setting.text());
    } catch (IllegalArgumentException wrong) {
      throw setting.wrong(String.valueOf(wrong.getMessage()));
    }
  }

  private static Instant time(Setting setting) {
    try {
      return Times.read(setting.text());
    } catch (IllegalArgumentException wrong) {
      throw setting.wrong(wrong.getMessage() + " (write 2026-12-31T08:00:00Z)");
    }
  }

  private static int whole(Setting setting) {
    double number = setting.number();
    if (number != (int) number) {
      throw setting.wrong("expected a whole number, found '" + setting.text() + "'");
    }
    return (int) number;
  }

  /** {@code 5%} or {@code 0.05}. */
  private static double share(Setting setting) {
    String text = setting.text();
    if (!text.endsWith("%")) {
      return setting.number();
    }
    try {
      return Double.parseDouble(text.substring(0, text.length() - 1).strip()) / 100;
    } catch (NumberFormatException wrong) {
      throw setting.wrong("expected a share such as 5%, found '" + text + "'");
    }
  }
}
