package dev.holdfast.doctor.compare;

import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The comparison as {@code holdfast.compare/1}. */
public final class CompareJson {
  private CompareJson() {}

  public static String write(Comparison comparison) {
    return Json.pretty(
        Json.map(
            "schema",
            "holdfast.compare/1",
            "nodes",
            comparison.nodes().size(),
            "facts",
            comparison.facts(),
            "odd",
            comparison.odd().stream().map(CompareJson::odd).toList(),
            "differences",
            comparison.differences().stream().map(CompareJson::difference).toList(),
            "undecided",
            comparison.undecided().stream().map(CompareJson::difference).toList(),
            "unreadable",
            comparison.unreadable().stream()
                .map(
                    left ->
                        Json.map(
                            "place", left.place(), "code", left.code(), "reason", left.reason()))
                .toList()));
  }

  private static Map<String, @Nullable Object> odd(OddNode odd) {
    return Json.map(
        "node",
        odd.node(),
        "place",
        odd.place(),
        "score",
        rounded(odd.score()),
        "facts",
        odd.traits().stream()
            .map(
                trait ->
                    Json.map(
                        "fact",
                        trait.fact(),
                        "severity",
                        trait.severity().word(),
                        "value",
                        trait.value(),
                        "majority",
                        trait.majority(),
                        "sharedBy",
                        trait.sharedBy(),
                        "points",
                        rounded(trait.points())))
            .toList());
  }

  private static Map<String, @Nullable Object> difference(Difference difference) {
    return Json.map(
        "fact",
        difference.fact(),
        "severity",
        difference.severity().word(),
        "majority",
        difference.majority().map(Difference.Group::value).orElse(null),
        "groups",
        difference.groups().stream()
            .map(
                group ->
                    Json.map(
                        "value",
                        group.value(),
                        "count",
                        group.nodes().size(),
                        // The majority is everybody else: naming it would only make the answer
                        // long.
                        "nodes",
                        difference.majority().filter(group::equals).isPresent()
                            ? null
                            : group.nodes()))
            .toList());
  }

  private static double rounded(double points) {
    return Math.round(points * 1000) / 1000.0;
  }
}
