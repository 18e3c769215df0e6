package dev.holdfast.doctor.fleet;

import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.CommandResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What many nodes answered, with equal findings told once.
 *
 * @param reports the doctor document of each node that answered
 * @param silent why the others did not
 */
public record FleetReport(Map<String, Map<String, Object>> reports, Map<String, String> silent) {
  public FleetReport {
    reports = new TreeMap<>(reports);
    silent = new TreeMap<>(silent);
  }

  /** One finding shared by nodes: told once, with who has it. */
  public record Group(
      String check, Severity severity, String summary, String remedy, List<String> nodes) {}

  /** Reads the documents that {@code holdfast doctor --format jsonl} printed on each host. */
  public static FleetReport of(Map<String, CommandResult> results) {
    Map<String, Map<String, Object>> reports = new TreeMap<>();
    Map<String, String> silent = new TreeMap<>();
    results.forEach(
        (host, result) -> {
          try {
            reports.put(host, document(result.output()));
          } catch (IllegalArgumentException e) {
            silent.put(host, reason(result, e));
          }
        });
    return new FleetReport(reports, silent);
  }

  /** Login banners may stand around the document; it is the line that starts with a brace. */
  private static Map<String, Object> document(String output) {
    for (String line : output.split("\n")) {
      if (line.startsWith("{\"schema\"")) {
        Map<String, Object> document = Json.object(line);
        if ("holdfast.doctor/1".equals(document.get("schema"))) {
          return document;
        }
      }
    }
    throw new IllegalArgumentException("it printed no holdfast.doctor/1 document");
  }

  private static String reason(CommandResult result, IllegalArgumentException problem) {
    String error = result.error().strip();
    String last = error.isEmpty() ? "" : error.substring(error.lastIndexOf('\n') + 1).strip();
    String why = result.why().isEmpty() ? String.valueOf(problem.getMessage()) : result.why();
    return last.isEmpty() || why.contains(last) ? why : why + ": " + last;
  }

  /** Findings by check, severity and part-less summary, worst first, then most nodes first. */
  public List<Group> groups() {
    Map<String, Group> byKey = new LinkedHashMap<>();
    reports.forEach(
        (host, document) -> {
          if (document.get("findings") instanceof List<?> findings) {
            for (Object entry : findings) {
              if (entry instanceof Map<?, ?> finding) {
                add(byKey, host, finding);
              }
            }
          }
        });
    List<Group> groups = new ArrayList<>(byKey.values());
    groups.sort(
        Comparator.comparing(Group::severity)
            .reversed()
            .thenComparing(group -> -group.nodes().size())
            .thenComparing(Group::check));
    return groups;
  }

  private static void add(Map<String, Group> byKey, String host, Map<?, ?> finding) {
    String check = text(finding, "check");
    String summary = text(finding, "summary");
    String key = check + "|" + text(finding, "severity") + "|" + summary.replaceAll("\\d+", "#");
    Group group =
        byKey.computeIfAbsent(
            key,
            _ ->
                new Group(
                    check,
                    severity(text(finding, "severity")),
                    summary,
                    text(finding, "remedy"),
                    new ArrayList<>()));
    if (!group.nodes().contains(host)) {
      group.nodes().add(host);
    }
  }

  private static Severity severity(String word) {
    try {
      return Severity.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return Severity.INFO;
    }
  }

  private static String text(Map<?, ?> map, String name) {
    Object value = map.get(name);
    return value == null ? "" : value.toString();
  }

  public boolean failsOn(Severity threshold) {
    return groups().stream().anyMatch(group -> group.severity().atLeast(threshold));
  }

  public String toJson() {
    List<Object> groups = new ArrayList<>();
    for (Group group : groups()) {
      groups.add(
          Json.map(
              "check",
              group.check(),
              "severity",
              group.severity().word(),
              "summary",
              group.summary(),
              "remedy",
              group.remedy(),
              "nodes",
              group.nodes()));
    }
    return Json.pretty(
        Json.map(
            "schema",
            "holdfast.fleet/1",
            "answered",
            reports.size(),
            "silent",
            silent,
            "groups",
            groups,
            "reports",
            new ArrayList<>(reports.values())));
  }
}
