package dev.holdfast.doctor.site;

import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Hostlist;
import dev.holdfast.core.text.Nearest;
import dev.holdfast.core.text.Setting;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Limit;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads one override from a configuration file; whatever is not right in it is an error. */
final class OverrideReader {
  static final Map<String, String> KEYS = keys();
  private static final List<String> REQUIRED = List.of("check", "reason", "expires");

  private final Map<String, CheckInfo> checks = new LinkedHashMap<>();

  OverrideReader(Collection<CheckInfo> known) {
    known.forEach(info -> checks.put(info.id(), info));
  }

  private static Map<String, String> keys() {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("check", "the check's id, or a group such as gpu.*");
    keys.put("nodes", "the nodes it is for, as a host list; default: all");
    keys.put("model", "a part of the accelerator's name, such as H100; default: any");
    keys.put("limits", "other thresholds, by the names `holdfast explain CHECK` shows");
    keys.put("severity", "the worst severity its findings may have");
    keys.put("suppress", "true: findings are only information");
    keys.put("reason", "why; required");
    keys.put("expires", "the last day it holds, such as 2026-12-31; required");
    return java.util.Collections.unmodifiableMap(keys);
  }

  SiteOverride read(Setting entry) {
    Map<String, Setting> values = entry.mapping(KEYS.keySet());
    for (String key : REQUIRED) {
      if (!values.containsKey(key)) {
        throw entry.wrong("an override needs '" + key + "': " + KEYS.get(key));
      }
    }
    String check = check(require(values, "check"));
    Map<String, Double> limits = limits(check, values.get("limits"));
    Optional<Severity> ceiling = ceiling(entry, values);
    if (limits.isEmpty() && ceiling.isEmpty()) {
      throw entry.wrong("an override changes something: give limits, severity or suppress");
    }
    return new SiteOverride(
        check,
        nodes(values.get("nodes")),
        Optional.ofNullable(values.get("model")).map(Setting::text).orElse(""),
        limits,
        ceiling,
        require(values, "reason").text(),
        require(values, "expires").date());
  }

  private static Setting require(Map<String, Setting> values, String key) {
    return java.util.Objects.requireNonNull(values.get(key), key);
  }

  private String check(Setting value) {
    String id = value.text();
    if (id.endsWith(".*")) {
      String prefix = id.substring(0, id.length() - 1);
      if (checks.keySet().stream().noneMatch(known -> known.startsWith(prefix))) {
        throw value.wrong("no check is in the group '" + id + "'");
      }
    } else if (!checks.containsKey(id)) {
      throw value.wrong("no check is called '" + id + "'" + Nearest.hint(id, checks.keySet()));
    }
    return id;
  }

  private Map<String, Double> limits(String check, @Nullable Setting value) {
    Map<String, Double> limits = new HashMap<>();
    if (value == null) {
      return limits;
    }
    CheckInfo info = checks.get(check);
    if (info == null) {
      throw value.wrong("limits belong to one check, not to the group '" + check + "'");
    }
    List<String> known = info.limits().stream().map(Limit::name).toList();
    if (known.isEmpty()) {
      throw value.wrong("the check " + check + " has no limits");
    }
    value.mapping(known).forEach((name, limit) -> limits.put(name, limit.number()));
    return limits;
  }

  private static Optional<Severity> ceiling(Setting entry, Map<String, Setting> values) {
    Setting severity = values.get("severity");
    Setting suppress = values.get("suppress");
    if (severity != null && suppress != null) {
      throw entry.wrong("give severity or suppress, not both");
    }
    if (suppress != null) {
      return suppress.flag() ? Optional.of(Severity.INFO) : Optional.empty();
    }
    if (severity == null) {
      return Optional.empty();
    }
    List<String> words = Arrays.stream(Severity.values()).map(Severity::word).toList();
    String word = severity.text();
    if (!words.contains(word)) {
      throw severity.wrong(
          "expected one of " + String.join(", ", words) + ", found '" + word + "'");
    }
    return Optional.of(Severity.valueOf(word.toUpperCase(Locale.ROOT)));
  }

  private static Predicate<String> nodes(@Nullable Setting value) {
    if (value == null) {
      return _ -> true;
    }
    try {
      return Set.copyOf(Hostlist.expand(value.text()))::contains;
    } catch (HoldfastException e) {
      throw value.wrong(e.detail());
    }
  }
}
