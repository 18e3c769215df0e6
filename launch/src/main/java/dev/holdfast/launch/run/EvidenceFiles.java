package dev.holdfast.launch.run;

import dev.holdfast.core.forensics.stacks.StackText;
import dev.holdfast.core.forensics.stacks.StackTree;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Style;
import dev.holdfast.launch.stacks.StackRounds;
import dev.holdfast.launch.stacks.StackSampler;
import dev.holdfast.launch.watch.FlightRecorder;
import dev.holdfast.launch.watch.ProcEvidence;
import dev.holdfast.os.file.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What could be seen of this node's ranks when they seemed to hang, kept in the run's folder. */
final class EvidenceFiles {
  private static final Duration LIMIT = Duration.ofSeconds(3);

  /** PyTorch 2.11 was seen to take 6.2 to 6.8 seconds to write one. */
  static final Duration RECORDS = Duration.ofSeconds(8);

  private static final int WIDTH = 120;

  private EvidenceFiles() {}

  /** Takes up to three seconds, or as long as records take; returns where it is, or why not. */
  static String collect(
      Path folder, List<ProcEvidence.Rank> ranks, List<FlightRecorder> recorders) {
    Flights flights = Flights.ask(recorders, RECORDS);
    StackSampler.Round round = StackSampler.ofThisMachine(false).sample(ranks, LIMIT);
    List<ProcEvidence.Seen> seen = round.seen();
    Map<Integer, Flights.Record> records = flights.await();
    StringBuilder text = new StringBuilder();
    if (!seen.isEmpty()) {
      StackTree tree = new StackRounds(List.of(round)).tree();
      text.append(StackText.tree(tree, Style.PLAIN, WIDTH)).append('\n');
    }
    for (ProcEvidence.Seen rank : seen) {
      text.append("rank ").append(rank.rank()).append(", process ").append(rank.pid()).append('\n');
      rank.lines().forEach(line -> text.append("  ").append(line).append('\n'));
      text.append(
          rank.stacks().isEmpty()
              ? "  no stacks: " + rank.noStacks() + "\n"
              : rank.stacks().indent(2));
      Flights.Record record = records.get(rank.rank());
      if (record != null) {
        text.append("  flight recorder: ").append(record.text()).append('\n');
      }
      text.append('\n');
    }
    try {
      Files.createDirectories(folder);
      Path file = folder.resolve("hang.txt");
      AtomicFile.replace(file, text.toString().getBytes(StandardCharsets.UTF_8));
      AtomicFile.replace(
          folder.resolve("hang.json"),
          Json.pretty(
                  Json.map(
                      "schema",
                      "holdfast.hang/1",
                      "ranks",
                      seen.stream().map(ProcEvidence.Seen::json).toList(),
                      "flightRecorders",
                      records.values().stream().map(Flights.Record::json).toList()))
              .getBytes(StandardCharsets.UTF_8));
      return "what each rank was doing: " + file;
    } catch (IOException unwritable) {
      return "what each rank was doing could not be written: " + unwritable.getMessage();
    }
  }
}
