package dev.holdfast.launch.forensics;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.logs.LogSource;
import dev.holdfast.core.forensics.stacks.StackReader;
import dev.holdfast.core.forensics.stacks.Standstill;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.report.Moment;
import dev.holdfast.launch.report.TimelineFile;
import dev.holdfast.launch.watch.ProcEvidence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What {@code holdfast run} left of the attempt that was interrupted last: in the folder of a node,
 * or in the folders of several nodes side by side.
 *
 * @param attempt −1: none was begun
 * @param nodes where each rank ran
 * @param diagnosis what the launcher concluded, where it led the job
 * @param seen what each rank was doing when it was looked at; empty: nobody looked
 * @param dumps flight recorder dumps by rank
 * @param moments of the timeline that tells most: the one of who led the job
 * @param logs what ranks wrote
 * @param trouble what could not be read, one line each
 */
public record RunEvidence(
    String job,
    int attempt,
    Map<Integer, String> nodes,
    Optional<Diagnosis> diagnosis,
    List<Standstill.Seen> seen,
    Map<Integer, Path> dumps,
    List<Moment> moments,
    List<LogSource> logs,
    List<String> trouble) {
  static final String TIMELINE = "timeline.log";
  private static final int MOST_NODES = 20_000;
  private static final int MOST_RANKS = 2_000_000;
  private static final long MOST_SEEN_BYTES = 256L << 20;
  private static final Pattern PLACE = Pattern.compile("[0-9]{1,7}");

  /** Whether this is the folder of a run, or holds some. */
  static boolean in(Path folder) throws IOException {
    return !nodeFolders(folder).isEmpty();
  }

  private static List<Path> nodeFolders(Path folder) throws IOException {
    if (Files.isRegularFile(folder.resolve(TIMELINE))) {
      return List.of(folder);
    }
    try (Stream<Path> listing = Files.list(folder)) {
      return listing
          .limit(MOST_NODES)
          .filter(one -> Files.isRegularFile(one.resolve(TIMELINE)))
          .sorted()
          .toList();
    }
  }

  static RunEvidence read(Path folder) throws IOException {
    Reading reading = new Reading();
    List<Path> nodeFolders = nodeFolders(folder);
    for (Path node : nodeFolders) {
      reading.timeline(node.resolve(TIMELINE));
    }
    for (Path node : nodeFolders) {
      Path attempt = node.resolve("attempt_" + reading.attempt);
      if (Files.isDirectory(attempt)) {
        reading.hang(attempt.resolve("hang.json"));
        reading.ranks(attempt, reading.first(node));
      }
    }
    return new RunEvidence(
        reading.job,
        reading.attempt,
        reading.nodes,
        Optional.ofNullable(reading.diagnosis),
        List.copyOf(reading.seen.values()),
        reading.dumps,
        reading.moments,
        reading.logs,
        reading.trouble);
  }

  /** One reading of a run's folders. */
  private static final class Reading {
    private String job = "";
    private int attempt = -1;
    private boolean interrupted;
    private final Map<Integer, String> nodes = new TreeMap<>();
    private @org.jspecify.annotations.Nullable Diagnosis diagnosis;
    private final Map<Integer, Standstill.Seen> seen = new TreeMap<>();
    private final Map<Integer, Path> dumps = new TreeMap<>();
    private final Map<Path, String> starts = new HashMap<>();
    private List<Moment> moments = List.of();
    private final List<LogSource> logs = new ArrayList<>();
    private final List<String> trouble = new ArrayList<>();

    /** The last attempt that somebody explained counts, or else the last one. */
    void timeline(Path file) {
      try {
        List<Moment> read = TimelineFile.read(file).moments();
        boolean tells = read.stream().anyMatch(moment -> moment.kind().equals(Kinds.DIAGNOSIS));
        if (moments.isEmpty() || tells) {
          moments = read;
        }
        for (Moment moment : read) {
          if (moment.kind().equals(Kinds.RANK_STARTED)) {
            starts.putIfAbsent(file, moment.text("node"));
          }
          if (moment.kind().equals(Kinds.JOB_BEGUN) && job.isEmpty()) {
            job = moment.text("job");
          }
          boolean explained = moment.kind().equals(Kinds.DIAGNOSIS);
          boolean begun = moment.kind().equals(Kinds.ATTEMPT_PREPARED) && !interrupted;
          if ((explained || begun) && moment.attempt() >= attempt) {
            attempt = moment.attempt();
            interrupted |= explained;
          }
        }
        read.stream().filter(moment -> moment.attempt() == attempt).forEach(this::note);
      } catch (IOException | IllegalArgumentException unreadable) {
        trouble.add(file + ": " + unreadable.getMessage());
      }
    }

    private void note(Moment moment) {
      try {
        switch (moment.kind()) {
          case Kinds.ATTEMPT_PREPARED -> moment.fields().objects("members").forEach(this::member);
          case Kinds.DIAGNOSIS -> diagnosis = Diagnosis.of(moment.fields());
          default -> {
            // Tells nothing about who began it.
          }
        }
      } catch (IllegalArgumentException garbled) {
        trouble.add(TIMELINE + ", " + moment.kind() + ": " + garbled.getMessage());
      }
    }

    private void member(Fields member) {
      int first = member.integer("firstRank");
      int count = Math.min(member.integer("processes"), MOST_RANKS);
      for (int rank = first; rank < first + count && nodes.size() < MOST_RANKS; rank++) {
        nodes.put(rank, member.text("node"));
      }
    }

    void hang(Path file) {
      if (!Files.isRegularFile(file)) {
        return;
      }
      try {
        if (Files.size(file) > MOST_SEEN_BYTES) {
          throw new IOException("more than 256 MiB");
        }
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        for (Fields rank : Fields.of("hang", Json.object(text)).objects("ranks")) {
          seen.put(rank.integer("rank"), seen(ProcEvidence.Seen.of(rank)));
        }
      } catch (IOException | IllegalArgumentException unreadable) {
        trouble.add(file + ": " + unreadable.getMessage());
      }
    }

    private static Standstill.Seen seen(ProcEvidence.Seen rank) {
      List<List<String>> stacks = List.of();
      if (!rank.stacks().isEmpty()) {
        try {
          stacks = StackReader.read(rank.stacks());
        } catch (IllegalArgumentException none) {
          // Then there are none, and the state of the process says what can be said.
        }
      }
      return new Standstill.Seen(rank.rank(), stacks, rank.place(), rank.state(), rank.noStacks());
    }

    /**
     * The first rank of the node whose folder this is: it ends with the node's name; a bundle's
     * does not, and says by who started in its timeline.
     */
    int first(Path node) {
      String name = String.valueOf(node.toAbsolutePath().getFileName());
      String own = own(node);
      for (Map.Entry<Integer, String> rank : nodes.entrySet()) {
        if (rank.getValue().equals(own) || name.endsWith("_" + rank.getValue())) {
          return rank.getKey();
        }
      }
      return 0;
    }

    /** Each node notes the start of its own ranks only. */
    private String own(Path node) {
      return starts.getOrDefault(node.resolve(TIMELINE), "");
    }

    /** What lies in the folder of each rank, which is called by its place on the node. */
    void ranks(Path attempt, int first) {
      try (Stream<Path> ranks = Files.list(attempt)) {
        for (Path rank : ranks.limit(MOST_NODES).filter(Files::isDirectory).sorted().toList()) {
          FlightFolder.dumps(rank).forEach(dumps::putIfAbsent);
          String place = String.valueOf(rank.getFileName());
          if (PLACE.matcher(place).matches()) {
            int number = first + Integer.parseInt(place);
            logs.addAll(LogFolder.ofRank(rank, number, nodes.getOrDefault(number, "")));
          }
        }
      } catch (IOException unreadable) {
        trouble.add(attempt + ": " + unreadable.getMessage());
      }
    }
  }
}
