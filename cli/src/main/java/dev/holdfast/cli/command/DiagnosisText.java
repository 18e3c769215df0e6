package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.forensics.Ranks;
import dev.holdfast.core.forensics.flight.Flight;
import dev.holdfast.core.forensics.flight.Recordings;
import dev.holdfast.core.forensics.verdict.Conclusion;
import dev.holdfast.core.forensics.verdict.Source;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Visible;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.launch.forensics.Investigation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A diagnosis for people and for programs. */
record DiagnosisText(String job, Investigation found) {
  private static final int LABEL = 12;
  private static final int MOST_SHOWN = 3;

  String json() {
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    for (Conclusion one : found.conclusions()) {
      all.add(
          Json.map(
              "culprits",
              culprits(one),
              "node",
              one.node().isEmpty() ? null : one.node(),
              "class",
              one.kind(),
              "confidence",
              one.confidence(),
              "what",
              one.what(),
              "sources",
              one.sources().stream().map(Source::word).toList(),
              "evidence",
              one.evidence(),
              "against",
              one.against(),
              "missing",
              one.missing(),
              "next",
              one.next()));
    }
    return Json.pretty(
        Json.map(
            "schema",
            "holdfast.diagnosis/1",
            "job",
            new Subject.Job(job, -1).toString(),
            "ranks",
            found.world(),
            "dumps",
            found.recordings().map(it -> it.flights().size()).orElse(0),
            "entries",
            found.recordings().map(Recordings::entries).orElse(0L),
            "absent",
            found.recordings().map(it -> List.copyOf(it.absent())).orElse(List.of()),
            "unreadable",
            new TreeSet<>(found.trouble()),
            "sources",
            found.sources(),
            "hypotheses",
            all,
            "logs",
            found.logs().map(it -> new LogText(it).tree()).orElse(null)));
  }

  private List<String> culprits(Conclusion one) {
    return one.ranks().isEmpty() && !one.node().isEmpty()
        ? List.of(subject(one).toString())
        : one.ranks().stream().map(rank -> new Subject.Job(job, rank).toString()).toList();
  }

  private static Subject subject(Conclusion one) {
    Subject.Node node = new Subject.Node(one.node());
    return one.gpu() < 0 ? node : node.gpu(one.gpu());
  }

  String text(Console console) {
    StringBuilder out = new StringBuilder();
    out.append(console.style().bold(Visible.line(job))).append("  ").append(summary()).append("\n");
    new TreeSet<>(found.trouble())
        .stream()
            .limit(MOST_SHOWN)
            .forEach(why -> out.append("  not read: ").append(Visible.line(why)).append('\n'));
    for (Conclusion one : found.conclusions().stream().limit(MOST_SHOWN).toList()) {
      out.append('\n')
          .append(console.style().bold(Visible.line(one.who())))
          .append("  ")
          .append(one.kind())
          .append(", confidence %.0f %%%n".formatted(100 * one.confidence()))
          .append("  ")
          .append(Wrap.hanging(one.what(), 2, console.width()))
          .append('\n');
      lines(out, console, "evidence", one.evidence());
      lines(out, console, "against", one.against());
      lines(out, console, "missing", one.missing());
      lines(out, console, "look at", List.of(one.next()));
    }
    found.logs().ifPresent(it -> out.append(new LogText(it).sections(console)));
    return out.toString();
  }

  private String summary() {
    return found.recordings().isPresent() && found.sources().size() == 1
        ? summary(found.recordings().get())
        : String.join("; ", found.sources());
  }

  private static String summary(Recordings recordings) {
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
            recordings.absent().isEmpty() ? "" : ", none of " + Ranks.named(recordings.absent()));
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
