package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What {@code ncclras} said of a job: which ranks have launched fewer operations than most of their
 * communicator, and which do not answer. Text of NCCL 2.24 and later and JSON of 2.28.7 and later.
 * Reports of a healthy job under NCCL 2.28.9 were read; those of trouble are written from NVIDIA's
 * documentation.
 *
 * @param world the size of the largest communicator; its ranks are those of the job
 * @param behind ranks of that one that launched less
 * @param missing ranks of that one that did not answer
 * @param lines what it rests on
 */
record RasReport(
    String file, int world, TreeSet<Integer> behind, TreeSet<Integer> missing, List<String> lines) {
  /** Longer reports are read so far. */
  static final int MOST_CHARACTERS = 4 << 20;

  private static final int MOST_LINES = 12;

  static RasReport of(String file, String text) {
    String bounded = text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) : text;
    return bounded.contains("\"communicators_count\"")
        ? json(file, bounded.substring(Math.max(0, bounded.indexOf('{'))))
        : new Reader(file).read(bounded);
  }

  /** The form for people. */
  private static final class Reader {
    private final RasReport report;
    private final Map<Integer, Integer> sizes = new TreeMap<>();
    private int group = -1;
    private long most = -1;
    private long current = -1;
    private boolean counts;
    private int world;

    Reader(String file) {
      report = new RasReport(file, 0, new TreeSet<>(), new TreeSet<>(), new ArrayList<>());
    }

    RasReport read(String text) {
      List<String> lines = text.lines().limit(100_000).map(String::strip).toList();
      lines.forEach(this::row);
      world = sizes.values().stream().mapToInt(Integer::intValue).max().orElse(0);
      lines.forEach(this::detail);
      return new RasReport(report.file, world, report.behind, report.missing, report.lines);
    }

    /** {@code 0 1 4 8 32 32 RUNNING MISMATCH}: group, communicators, nodes, ranks …, status. */
    private void row(String line) {
      String[] cells = line.split(" +", 9);
      if (cells.length >= 8 && cells[0].matches("\\d{1,6}") && cells[4].matches("\\d{1,7}")) {
        sizes.put(Integer.parseInt(cells[0]), Integer.parseInt(cells[4]));
      }
    }

    private void detail(String line) {
      if (line.matches("#\\d{1,6}-\\d{1,6} .*")) {
        group = Integer.parseInt(line.substring(1, line.indexOf('-')));
        counts = false;
      } else if (line.startsWith("Communicator ranks have different")) {
        counts = line.contains("operation counts");
        most = -1;
        current = -1;
        note(line);
      } else if (counts && line.contains("launched")) {
        launched(line);
      } else if (counts && line.startsWith("Rank ") && current >= 0 && current < most) {
        behind(line);
      } else if (line.startsWith("The missing rank")) {
        missing(line);
      }
    }

    private void launched(String line) {
      long number = Wait.number(line, "up to operation ", 0);
      current = Math.max(0, number);
      most = most < 0 ? current : most;
      note(line);
      if (line.startsWith("Rank ") && current < most) {
        behind(line);
      }
    }

    private void behind(String line) {
      long rank = Wait.number(line, "Rank ", 0);
      if (rank >= 0 && largest() && rank < world) {
        report.behind.add((int) rank);
        note(line);
      }
    }

    private void missing(String line) {
      String list = line.substring(line.indexOf(':') + 1).strip().replace(" ", "");
      if (largest()) {
        Endings.numbers(list)
            .ifPresent(ranks -> ranks.stream().filter(r -> r < world).forEach(report.missing::add));
        note(line);
      }
    }

    private boolean largest() {
      return sizes.getOrDefault(group, 0) == world && world > 0;
    }

    private void note(String line) {
      if (report.lines.size() < MOST_LINES) {
        report.lines.add(line);
      }
    }
  }

  private static RasReport json(String file, String text) {
    TreeSet<Integer> behind = new TreeSet<>();
    TreeSet<Integer> missing = new TreeSet<>();
    List<String> lines = new ArrayList<>();
    int world = 0;
    Map<String, @Nullable Object> tree = Json.foreignObject(text);
    List<Map<?, ?>> communicators = maps(tree.get("communicators"));
    for (Map<?, ?> one : communicators) {
      world = Math.max(world, (int) number(one.get("size")));
    }
    for (Map<?, ?> one : communicators) {
      if (number(one.get("size")) == world) {
        counts(one, world, behind, lines);
        for (Map<?, ?> rank : maps(one.get("missing_ranks"))) {
          missing.add((int) number(rank.get("rank")));
        }
      }
    }
    missing.removeIf(rank -> rank < 0);
    if (!missing.isEmpty() && lines.size() < MOST_LINES) {
      lines.add("ranks that do not answer: " + missing);
    }
    return new RasReport(file, world, behind, missing, lines);
  }

  private static void counts(
      Map<?, ?> communicator, int world, TreeSet<Integer> behind, List<String> lines) {
    Map<String, Map<Integer, Long>> byOperation = new TreeMap<>();
    for (Map<?, ?> rank : maps(communicator.get("ranks"))) {
      int number = (int) number(rank.get("rank"));
      if (number >= 0 && rank.get("collective_counts") instanceof Map<?, ?> counts) {
        counts.forEach(
            (operation, count) ->
                byOperation
                    .computeIfAbsent(String.valueOf(operation), _ -> new TreeMap<>())
                    .put(number, number(count)));
      }
    }
    byOperation.forEach(
        (operation, counts) -> {
          long most = counts.values().stream().mapToLong(Long::longValue).max().orElse(0);
          List<Integer> less =
              counts.keySet().stream()
                  .filter(rank -> counts.getOrDefault(rank, 0L) < most)
                  .toList();
          if (!less.isEmpty() && less.size() * 2 < world) {
            behind.addAll(less);
            if (lines.size() < MOST_LINES) {
              lines.add("%s: ranks %s launched fewer than %d".formatted(operation, less, most));
            }
          }
        });
  }

  private static List<Map<?, ?>> maps(@Nullable Object value) {
    List<Map<?, ?>> maps = new ArrayList<>();
    if (value instanceof List<?> list) {
      for (Object one : list) {
        if (one instanceof Map<?, ?> map) {
          maps.add(map);
        }
      }
    }
    return maps;
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : -1;
  }
}
