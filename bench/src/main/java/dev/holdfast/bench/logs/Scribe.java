package dev.holdfast.bench.logs;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps what the ranks of a rehearsed job write and writes it down as files: one for each rank, one
 * with the labels of {@code srun -l}, or one for each node with the labels of torchrun.
 */
final class Scribe {
  /** How output becomes files. */
  enum Layout {
    RANK_FILES,
    SRUN_LABELS,
    TORCHRUN_NODES
  }

  /** How a program writes the time. */
  enum Form {
    PYTHON("yyyy-MM-dd HH:mm:ss,SSS", " - INFO - "),
    ISO("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", " "),
    BRACKETS("'['yyyy-MM-dd HH:mm:ss']'", " "),
    SLASHES("MM/dd/yyyy HH:mm:ss", " - INFO - "),
    NONE("", "");

    private final String pattern;
    private final String after;

    Form(String pattern, String after) {
      this.pattern = pattern;
      this.after = after;
    }

    String show(long micros) {
      return pattern.isEmpty() ? "" : time(pattern, micros) + after;
    }
  }

  private record Line(long micros, int order, String text) {}

  private static final DateTimeFormatter GLOG =
      DateTimeFormatter.ofPattern("MMdd HH:mm:ss.SSSSSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final int perNode;
  private final Form form;
  private final long[] skew;
  private final Map<Integer, List<Line>> byRank = new TreeMap<>();
  private final List<Line> launcher = new ArrayList<>();
  private int order;

  /**
   * @param skew how far each node's clock is ahead, microseconds
   */
  Scribe(int ranks, int perNode, Form form, long[] skew) {
    this.perNode = perNode;
    this.form = form;
    this.skew = skew;
    for (int rank = 0; rank < ranks; rank++) {
      byRank.put(rank, new ArrayList<>());
    }
  }

  private static String time(String pattern, long micros) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT)
        .withZone(ZoneOffset.UTC)
        .format(Instant.ofEpochSecond(0, micros * 1000));
  }

  private long clock(int rank, long micros) {
    return micros + skew[rank / perNode];
  }

  /** What the program logs. */
  void log(int rank, long micros, String text) {
    raw(rank, micros, form.show(clock(rank, micros)) + text);
  }

  /** What PyTorch's C++ side logs. */
  void torch(int rank, long micros, String text) {
    String stamp = GLOG.format(Instant.ofEpochSecond(0, clock(rank, micros) * 1000));
    raw(rank, micros, "[rank" + rank + "]:[E" + stamp + "000 ProcessGroupNCCL.cpp:629] " + text);
  }

  /** What comes without a time. */
  void raw(int rank, long micros, String text) {
    byRank.getOrDefault(rank, new ArrayList<>()).add(new Line(micros, order++, text));
  }

  /** What scheduler and launcher say. */
  void launcher(long micros, String text) {
    launcher.add(new Line(micros, order++, text));
  }

  void lose(int rank) {
    byRank.remove(rank);
  }

  /** Nothing after this moment. */
  void cut(int rank, long micros) {
    byRank.getOrDefault(rank, new ArrayList<>()).removeIf(line -> line.micros > micros);
  }

  Map<String, byte[]> files(Layout layout) {
    Map<String, ByteArrayOutputStream> files = new TreeMap<>();
    Map<String, List<Line>> lines = new TreeMap<>();
    byRank.forEach(
        (rank, own) -> {
          String file =
              switch (layout) {
                case RANK_FILES -> "rank" + rank + ".log";
                case SRUN_LABELS -> "slurm-4711.out";
                case TORCHRUN_NODES -> "torchrun-" + node(rank / perNode) + ".log";
              };
          String label =
              switch (layout) {
                case RANK_FILES -> "";
                case SRUN_LABELS -> "%3d: ".formatted(rank);
                case TORCHRUN_NODES -> "[default" + rank % perNode + "]:";
              };
          List<Line> all = lines.computeIfAbsent(file, _ -> new ArrayList<>());
          own.forEach(line -> all.add(new Line(line.micros, line.order, label + line.text)));
        });
    if (!launcher.isEmpty()) {
      String file = layout == Layout.SRUN_LABELS ? "slurm-4711.out" : "launcher.log";
      lines.computeIfAbsent(file, _ -> new ArrayList<>()).addAll(launcher);
    }
    lines.forEach(
        (file, all) -> {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          all.stream()
              .sorted(Comparator.comparingLong(Line::micros).thenComparingInt(Line::order))
              .forEach(line -> out.writeBytes((line.text + "\n").getBytes(StandardCharsets.UTF_8)));
          files.put(file, out);
        });
    Map<String, byte[]> bytes = new TreeMap<>();
    files.forEach((file, out) -> bytes.put(file, out.toByteArray()));
    return bytes;
  }

  static String node(int number) {
    return "gpu%02d".formatted(number + 1);
  }
}
