package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.text.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What NCCL's Inspector recorded (a profiler plug-in of NCCL 2.28 and later): for each rank of each
 * communicator the last collective it finished, and how long they took. One JSON object a line;
 * written from its documentation, not yet seen from a job of ours.
 *
 * <p>A collective takes longest on the ranks that wait: whoever comes last finds all others there
 * and is done soonest.
 */
final class InspectorNotes {
  private static final int MOST_LINE = 64 * 1024;
  private static final int MOST_COMMUNICATORS = 256;
  private static final int MOST_TALLIES = 200_000;
  private static final int ENOUGH = 20;

  private final Map<String, Communicator> communicators = new HashMap<>();
  private int tallies;

  /** One communicator. */
  private static final class Communicator {
    int ranks;
    final TreeMap<Integer, Tally> members = new TreeMap<>();
  }

  /** One rank of it. */
  private static final class Tally {
    long last = -1;
    long count;
    double micros;
  }

  /** How many bytes were read. */
  long read(byte[] begin, InputStream in) throws IOException {
    long bytes = 0;
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean skip = false;
    InputStream all =
        new BufferedInputStream(
            new SequenceInputStream(new ByteArrayInputStream(begin), in), 64 * 1024);
    for (int b = all.read(); b >= 0; b = all.read()) {
      bytes++;
      if (b == '\n') {
        if (!skip) {
          record(line.toString(StandardCharsets.UTF_8));
        }
        line.reset();
        skip = false;
      } else if (line.size() < MOST_LINE) {
        line.write(b);
      } else {
        skip = true;
      }
    }
    if (!skip) {
      record(line.toString(StandardCharsets.UTF_8));
    }
    return bytes;
  }

  private void record(String line) {
    if (!line.startsWith("{")) {
      return;
    }
    Map<String, @Nullable Object> tree;
    try {
      tree = Json.foreignObject(line);
    } catch (IllegalArgumentException broken) {
      return;
    }
    if (!(tree.get("header") instanceof Map<?, ?> header)
        || !(tree.get("coll_perf") instanceof Map<?, ?> collective)
        || !(header.get("id") instanceof String id)) {
      return;
    }
    long rank = number(header.get("rank"));
    long ranks = number(header.get("n_ranks"));
    long sequence = number(collective.get("coll_sn"));
    if (rank < 0 || ranks <= rank || ranks > 1_000_000 || sequence < 0) {
      return;
    }
    Communicator communicator = communicators.get(id);
    if (communicator == null) {
      if (communicators.size() >= MOST_COMMUNICATORS) {
        return;
      }
      communicator = new Communicator();
      communicators.put(id, communicator);
    }
    communicator.ranks = (int) ranks;
    Tally tally = communicator.members.get((int) rank);
    if (tally == null) {
      if (tallies >= MOST_TALLIES) {
        return;
      }
      tallies++;
      tally = new Tally();
      communicator.members.put((int) rank, tally);
    }
    tally.last = Math.max(tally.last, sequence);
    tally.count++;
    tally.micros += Math.max(0, number(collective.get("coll_exec_time_us")));
  }

  int world() {
    return communicators.values().stream().mapToInt(one -> one.ranks).max().orElse(0);
  }

  /** Ranks of the largest communicators that finished less than most. */
  TreeSet<Integer> behind() {
    TreeSet<Integer> behind = new TreeSet<>();
    int world = world();
    for (Communicator one : communicators.values()) {
      long most = one.members.values().stream().mapToLong(tally -> tally.last).max().orElse(0);
      TreeSet<Integer> less = new TreeSet<>();
      one.members.forEach(
          (rank, tally) -> {
            if (tally.last < most) {
              less.add(rank);
            }
          });
      if (one.ranks == world && less.size() * 2 < one.members.size()) {
        behind.addAll(less);
      }
    }
    return behind;
  }

  /** Ranks of the largest communicators whose collectives are over soonest: they come last. */
  TreeSet<Integer> late() {
    TreeSet<Integer> late = new TreeSet<>();
    int world = world();
    for (Communicator one : communicators.values()) {
      double[] means =
          one.members.values().stream()
              .filter(tally -> tally.count >= ENOUGH)
              .mapToDouble(tally -> tally.micros / tally.count)
              .sorted()
              .toArray();
      if (one.ranks == world && means.length >= 4) {
        double median = means[means.length / 2];
        TreeSet<Integer> soon = new TreeSet<>();
        one.members.forEach(
            (rank, tally) -> {
              if (tally.count >= ENOUGH && tally.micros / tally.count < median / 2) {
                soon.add(rank);
              }
            });
        if (soon.size() * 4 <= means.length) {
          late.addAll(soon);
        }
      }
    }
    return late;
  }

  boolean isEmpty() {
    return communicators.isEmpty();
  }

  void merge(InspectorNotes other) {
    other.communicators.forEach(
        (id, one) -> {
          if (communicators.size() < MOST_COMMUNICATORS || communicators.containsKey(id)) {
            Communicator own = communicators.computeIfAbsent(id, _ -> new Communicator());
            own.ranks = Math.max(own.ranks, one.ranks);
            one.members.forEach(own.members::putIfAbsent);
          }
        });
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : -1;
  }
}
