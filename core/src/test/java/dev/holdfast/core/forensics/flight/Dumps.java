package dev.holdfast.core.forensics.flight;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Dumps of one job, written by hand in as few words as tell them apart. */
final class Dumps {
  /** When the entries were made; each a millisecond after the one before. */
  static final long BEGIN = 1_758_610_505_000_000_000L;

  private final Vocabulary vocabulary = new Vocabulary();
  private final Map<String, String> groups = new TreeMap<>();
  private final Map<Integer, Flight> flights = new TreeMap<>();
  private final Map<Integer, Long> written = new TreeMap<>();
  private String left = "";
  private String status = "";

  /** A process group by its name, which is its number, too. */
  Dumps group(String name, String role, String ranks) {
    groups.put(
        name,
        "\"%s\":{\"name\":\"%s\",\"desc\":\"%s\",\"ranks\":\"[%s]\"}"
            .formatted(name, name, role, ranks));
    return this;
  }

  /** Leaves a field out of all entries that come. */
  Dumps without(String field) {
    left = field;
    return this;
  }

  /**
   * The dump of a rank.
   *
   * @param first the number of the first entry; more than 0: others were before it
   * @param entries as {@code group sequence transfer call state}, such as {@code 0 5 0 all_reduce
   *     scheduled}; a call with its peers as {@code send:0->1}
   */
  Dumps rank(int rank, int first, String... entries) {
    List<String> all = new ArrayList<>();
    for (String entry : entries) {
      all.add(entry(first + all.size(), entry.split(" ")));
    }
    String text =
        "{\"version\":\"2.10\",\"pg_config\":{%s},\"pg_status\":{%s},\"entries\":[%s]}"
            .formatted(String.join(",", groups.values()), status, String.join(",", all));
    status = "";
    try {
      flights.put(
          rank,
          FlightReader.read(
              rank, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), vocabulary));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return this;
  }

  /** The next dump says how far the rank is in a group: {@code group enqueued completed}. */
  Dumps status(String words) {
    String[] word = words.split(" ");
    status =
        "\"%s\":{\"last_enqueued_collective\":%s,\"last_completed_collective\":%s}"
            .formatted(word[0], word[1], word[2]);
    return this;
  }

  /** The dump of a rank was written so long after {@link #BEGIN}. */
  Dumps written(int rank, long seconds) {
    written.put(rank, BEGIN + seconds * 1_000_000_000L);
    return this;
  }

  Hypothesis best() {
    return FlightAnalysis.of(
            Recordings.of(vocabulary, flights.values(), Map.of(), 0).writtenAt(written))
        .getFirst();
  }

  private String entry(int number, String[] word) {
    boolean ended = word[4].equals("completed");
    long time = BEGIN + number * 1_000_000L;
    Map<String, String> fields =
        Map.of(
            "record_id",
            String.valueOf(number),
            "pg_id",
            word[0],
            "process_group",
            "[\"%s\",\"\"]".formatted(word[0]),
            "collective_seq_id",
            word[1],
            "p2p_seq_id",
            word[2],
            "profiling_name",
            "\"nccl:" + word[3].replace(':', ' ') + "\"",
            "state",
            "\"" + word[4] + "\"",
            "time_created_ns",
            String.valueOf(time),
            "time_discovered_started_ns",
            word[4].equals("started") ? "" + (time + 1000) : "null",
            "time_discovered_completed_ns",
            ended ? "" + (time + 500_000) : "null");
    return fields.entrySet().stream()
        .filter(field -> !field.getKey().equals(left))
        .map(field -> "\"" + field.getKey() + "\":" + field.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }
}
