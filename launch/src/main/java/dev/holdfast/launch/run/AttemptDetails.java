package dev.holdfast.launch.run;

import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.Assignment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the timeline says of an attempt when it begins: who takes part. */
final class AttemptDetails {
  private AttemptDetails() {}

  static Map<String, @Nullable Object> of(Assignment given) {
    return Json.map(
        "attempt", given.attempt(), "world", given.worldSize(), "members", members(given));
  }

  private static List<Map<String, @Nullable Object>> members(Assignment given) {
    return given.members().stream()
        .map(
            member ->
                Json.map(
                    "node",
                    member.node(),
                    "firstRank",
                    given.firstRank(given.nodeRank(member.node()).orElseThrow()),
                    "processes",
                    member.processes()))
        .toList();
  }
}
