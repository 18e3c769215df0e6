package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What must survive the loss of a leader. Every change is written as a whole with a new version and
 * counts once a majority of the voters holds it; whoever leads next starts from the newest.
 *
 * @param voters all launchers that were there at the first assignment, spares included; the first
 *     one counts twice when their number is even
 * @param excluded nodes left out by decision
 * @param decision why the attempt follows the one before, empty: it is the first
 * @param assignment of the attempt that is the newest
 * @param ending how the job ended, if it did
 * @param told what the leader's judge wants its successor to know
 */
record JobRecord(
    Version version,
    List<Member> voters,
    Set<String> excluded,
    String decision,
    Assignment assignment,
    @Nullable Ending ending,
    List<String> told) {

  /** What all launchers exit with, and why. */
  record Ending(int exitCode, String why) {
    Ending {
      why = Wire.clip(why);
    }
  }

  JobRecord {
    voters = List.copyOf(voters);
    told = List.copyOf(told);
    if (told.size() > Judge.MOST_TOLD) {
      throw new IllegalArgumentException("record: " + told.size() + " texts told with it");
    }
    decision = Wire.clip(decision);
    excluded = java.util.Collections.unmodifiableSet(new LinkedHashSet<>(excluded));
  }

  int attempt() {
    return assignment.attempt();
  }

  Map<String, @Nullable Object> json() {
    return Json.map(
        "term",
        version.term(),
        "index",
        version.index(),
        "origin",
        version.origin(),
        "voters",
        voters.stream().map(Member::json).toList(),
        "excluded",
        List.copyOf(excluded),
        "decision",
        decision,
        "assignment",
        assignment.json(),
        "exitCode",
        ending == null ? null : ending.exitCode(),
        "why",
        ending == null ? null : ending.why(),
        "told",
        told.isEmpty() ? null : told);
  }

  static JobRecord of(Fields fields) {
    return new JobRecord(
        new Version(fields.number("term"), fields.number("index"), fields.number("origin")),
        fields.objects("voters").stream().map(Member::of).toList(),
        new LinkedHashSet<>(fields.texts("excluded")),
        fields.text("decision"),
        Assignment.of(fields.object("assignment")),
        fields.has("exitCode")
            ? new Ending(fields.integer("exitCode"), fields.text("why", ""))
            : null,
        fields.texts("told"));
  }
}
