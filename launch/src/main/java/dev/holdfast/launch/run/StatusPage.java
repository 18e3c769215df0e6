package dev.holdfast.launch.run;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Style;
import dev.holdfast.launch.run.JobStatus.RankStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** How a run is, for people: one line for all, one a rank, then what was found. */
public final class StatusPage {
  private StatusPage() {}

  /** One run. */
  public static String of(JobStatus status, Style style) {
    StringBuilder out = new StringBuilder();
    out.append(
        "%s  %s, attempt %d (%d of %d restarts used), %s%n"
            .formatted(
                style.bold(status.job()),
                status.state(),
                status.attempt(),
                status.restarts(),
                status.maxRestarts(),
                time(status.seconds())));
    out.append(
        "%d ranks, launchers: %s%n"
            .formatted(
                status.worldSize(),
                String.join(
                    ", ", status.nodes().stream().map(n -> n.node() + " " + n.state()).toList())));
    out.append("logs in ").append(status.folder()).append('\n');
    boolean devices = status.ranks().stream().anyMatch(rank -> rank.load().percent() >= 0);
    List<String> titles =
        new ArrayList<>(List.of("rank", "node", "pid", "state", "step", "CPU", "quiet for"));
    if (devices) {
      titles.addAll(List.of("device", "busy", "memory"));
    }
    titles.add("doing");
    Set<Integer> numbers = devices ? Set.of(0, 2, 4, 5, 6, 8, 9) : Set.of(0, 2, 4, 5, 6);
    Columns columns = new Columns(numbers, titles.toArray(String[]::new));
    for (RankStatus rank : status.ranks()) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  Integer.toString(rank.rank()),
                  rank.node(),
                  Long.toString(rank.pid()),
                  state(rank.state()),
                  rank.step() < 0 ? "" : Long.toString(rank.step()),
                  time(rank.cpuSeconds()),
                  rank.quietSeconds() < 0 ? "" : time(rank.quietSeconds())));
      if (devices) {
        cells.add(rank.load().name());
        cells.add(rank.load().percent() < 0 ? "" : rank.load().percent() + " %");
        cells.add(rank.load().bytes() < 0 ? "" : new Bytes(rank.load().bytes()).toString());
      }
      cells.add(rank.waitsFor().isEmpty() ? rank.phase() : "waits for " + rank.waitsFor());
      columns.add(cells);
    }
    out.append('\n').append(columns.text(style));
    if (!status.findings().isEmpty()) {
      out.append('\n');
      status.findings().forEach(finding -> out.append(style.yellow(finding)).append('\n'));
    }
    return out.toString();
  }

  /** A line for each of many. */
  public static String list(List<JobStatus> all, Style style) {
    Columns columns =
        new Columns(Set.of(2, 3, 4), "job", "state", "attempt", "ranks", "step", "for");
    for (JobStatus status : all) {
      long step = status.ranks().stream().mapToLong(RankStatus::step).max().orElse(-1);
      columns.add(
          List.of(
              status.job(),
              status.state(),
              Integer.toString(status.attempt()),
              Integer.toString(status.worldSize()),
              step < 0 ? "" : Long.toString(step),
              time(status.seconds())));
    }
    return columns.text(style);
  }

  private static String state(String letter) {
    return switch (letter) {
      case "R" -> "running";
      case "S" -> "sleeping";
      case "D" -> "in the kernel";
      case "T" -> "stopped";
      case "t" -> "traced";
      case "Z" -> "dead";
      default -> letter;
    };
  }

  private static String time(double seconds) {
    return Durations.show(Duration.ofMillis(Math.round(seconds * 1000)));
  }
}
