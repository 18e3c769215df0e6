package dev.holdfast.cli.command;

import dev.holdfast.bench.posted.PostedCase;
import dev.holdfast.bench.posted.PostedScore;
import dev.holdfast.bench.posted.PostedScore.Answer;
import dev.holdfast.bench.posted.PostedScore.Interval;
import dev.holdfast.bench.posted.PostedScore.Row;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.forensics.verdict.Conclusion;
import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.forensics.Investigation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How often is {@code holdfast diagnose} right on what people posted? */
final class BenchPosted {
  private BenchPosted() {}

  static void measure(
      Console console, Map<String, @Nullable Object> tree, StringBuilder text, Path place) {
    PostedScore score = score(place);
    List<Map<String, @Nullable Object>> rows = tell(console, text, "posted", score.rows());
    tree.put("posted", rows);
    tree.put("postedMisses", score.misses());
    score.misses().forEach(one -> text.append("  ").append(one).append('\n'));
  }

  /** A row for each kind, as text and as JSON. */
  static List<Map<String, @Nullable Object>> tell(
      Console console, StringBuilder text, String title, List<Row> scored) {
    Columns table =
        new Columns(Set.of(1, 2, 3, 4), title, "cases", "right", "cannot tell", "wrong");
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Row row : scored) {
      table.add(
          List.of(
              row.kind(),
              String.valueOf(row.cases()),
              share(row.right(), row.cases()),
              share(row.cannotTell(), row.cases()),
              share(row.wrong(), row.cases())));
      Interval interval = Interval.of(row.right(), row.cases());
      rows.add(
          Json.map(
              "kind",
              row.kind(),
              "cases",
              row.cases(),
              "right",
              row.right(),
              "cannotTell",
              row.cannotTell(),
              "wrong",
              row.wrong(),
              "rightFrom",
              interval.from(),
              "rightTo",
              interval.to()));
    }
    text.append(table.text(console.style()));
    return rows;
  }

  static PostedScore score(Path place) {
    try {
      return PostedScore.of(cases(place), BenchPosted::diagnosed);
    } catch (IOException unreadable) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, place + ": " + unreadable.getMessage(), unreadable);
    }
  }

  /** With the interval the share lies in, at 95 %. */
  private static String share(int hits, int all) {
    Interval interval = Interval.of(hits, all);
    return "%d  %3.0f %% (%.0f–%.0f)"
        .formatted(
            hits, all == 0 ? 0 : 100.0 * hits / all, 100 * interval.from(), 100 * interval.to());
  }

  private static List<PostedCase> cases(Path place) throws IOException {
    List<PostedCase> cases = new ArrayList<>();
    try (Stream<Path> files = Files.walk(place, 1)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        cases.addAll(PostedCase.read(file.toString(), Files.readString(file)));
      }
    }
    if (cases.isEmpty()) {
      throw new IOException("holds no case");
    }
    return cases;
  }

  /** As a person would ask: the text in a file of a usual name. */
  private static Answer diagnosed(PostedCase one) {
    try {
      Path folder = Files.createTempDirectory("holdfast-posted");
      Path log = folder.resolve("train.log");
      try {
        Files.writeString(log, one.text());
        Investigation found = Investigation.of(log, 0);
        Conclusion first = found.conclusions().getFirst();
        return found.empty()
            ? Answer.REFUSED
            : new Answer(
                first.ranks(), first.node(), first.gpu(), first.kind(), first.confidence());
      } finally {
        Files.deleteIfExists(log);
        Files.delete(folder);
      }
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }
}
