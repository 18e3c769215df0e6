package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.forensics.Ranks;
import dev.holdfast.core.forensics.flight.Flight;
import dev.holdfast.core.forensics.flight.Hypothesis;
import dev.holdfast.core.forensics.flight.Recordings;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Wrap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A diagnosis for people and for programs. */
record DiagnosisText(String job, Recordings recordings, List<Hypothesis> hypotheses) {
  private static final int LABEL = 12;
  private static final int MOST_SHOWN = 3;

  String json() {
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    for (Hypothesis one : hypotheses) {
      all.add(
          Json.map(
              "culprits",
              one.culprits().stream().map(rank -> new Subject.Job(job, rank).toString()).toList(),
              "class",
              one.cause().word(),
              "confidence",
              one.confidence(),
              "what",
              one.what(),
              "evidence",
              one.evidence(),
              "missing",
              one.missing(),
              "next",
              one.cause().next()));
    }
    return Json.pretty(
        Json.map(
            "schema",
            "holdfast.diagnosis/1",
            "job",
            new Subject.Job(job, -1).toString(),
            "ranks",
            recordings.world(),
            "dumps",
            recordings.flights().size(),
            "entries",
            recordings.entries(),
            "absent",
            List.copyOf(recordings.absent()),
            "unreadable",
            new TreeSet<>(recordings.unreadable().values()),
            "hypotheses",
            all));
  }

  String text(Console console) {
    StringBuilder out = new StringBuilder();
    out.append(console.style().bold(job)).append("  ").append(summary()).append("\n");
    new TreeSet<>(recordings.unreadable().values())
        .stream()
            .limit(MOST_SHOWN)
            .forEach(why -> out.append("  not read: ").append(why).append('\n'));
    for (Hypothesis one : hypotheses.stream().limit(MOST_SHOWN).toList()) {
      String who = one.culprits().isEmpty() ? "cannot tell which rank" : named(one.culprits());
      out.append('\n')
          .append(console.style().bold(who))
          .append("  ")
          .append(one.cause().word())
          .append(", confidence %.0f %%%n".formatted(100 * one.confidence()))
          .append("  ")
          .append(Wrap.hanging(one.what(), 2, console.width()))
          .append('\n');
      lines(out, console, "evidence", one.evidence());
      lines(out, console, "missing", one.missing());
      lines(out, console, "look at", List.of(one.cause().next()));
    }
    return out.toString();
  }

  private static String named(List<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ") + Ranks.show(ranks);
  }

  private String summary() {
    Flight first = recordings.flights().firstEntry().getValue();
    int dumps = recordings.flights().size();
    return "%d %s, %d %s%s%s, %d entries%s"
        .formatted(
            recordings.world(),
            recordings.world() == 1 ? "rank" : "ranks",
            dumps,
            dumps == 1 ? "dump" : "dumps",
            first.version().isEmpty() ? "" : " of version " + first.version(),
            first.library().isEmpty() ? "" : ", library " + first.library(),
            recordings.entries(),
            recordings.absent().isEmpty()
                ? ""
                : ", none of " + named(List.copyOf(recordings.absent())));
  }

  private static void lines(StringBuilder out, Console console, String label, List<String> lines) {
    String name = label;
    for (String line : lines) {
      out.append(console.style().dim("  %-9s".formatted(name)))
          .append(' ')
          .append(Wrap.hanging(line, LABEL, console.width()))
          .append('\n');
      name = "";
    }
  }
}
