package dev.holdfast.core.slurm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * How long does it take to read what Slurm says of 10,000 nodes and 10,000 jobs? Run by hand; the
 * answers are the captured ones, with the one record repeated under other names.
 */
public final class SlurmAnswersBenchmark {
  private static final int RECORDS = 10_000;
  private static final int ROUNDS = 10;

  private SlurmAnswersBenchmark() {}

  public static void main(String[] arguments) throws IOException {
    ScontrolText scontrol = new ScontrolText(ZoneOffset.UTC);
    SqueueText squeue = new SqueueText(ZoneOffset.UTC);
    String node = file("22.05/scontrol-show-nodes.txt").split("\n\n")[1] + "\n\n";
    String nodes = repeated(node, "node2");
    measure("scontrol show nodes", nodes, () -> scontrol.nodes(nodes));
    String jobs =
        repeated("17|RUNNING|ann|0|1|64|1794788917|1794788918|gpu[001-008]|None|17|\n", "17");
    measure("squeue --Format", jobs, () -> squeue.jobs(jobs));
    String oldNodes = list("22.05/sinfo.json", "nodes");
    measure("nodes, JSON of 22.05", oldNodes, () -> SlurmJson.nodes(oldNodes));
    String oldJobs = list("22.05/squeue.json", "jobs");
    measure("jobs, JSON of 22.05", oldJobs, () -> SlurmJson.jobs(oldJobs));
    String newNodes = list("24.11/scontrol-show-nodes.json", "nodes");
    measure("nodes, JSON of 24.11", newNodes, () -> SlurmJson.nodes(newNodes));
    String newJobs = list("24.11/squeue.json", "jobs");
    measure("jobs, JSON of 24.11", newJobs, () -> SlurmJson.jobs(newJobs));
  }

  private static String repeated(String record, String name) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < RECORDS; i++) {
      text.append(record.replaceFirst(name, name.startsWith("n") ? "gpu" + i : "" + (100 + i)));
    }
    return text.toString();
  }

  /** The first record of a list, many times. */
  private static String list(String name, String list) throws IOException {
    Object tree = dev.holdfast.core.text.Json.object(file(name)).get(list);
    String record =
        dev.holdfast.core.text.Json.line(((java.util.List<?>) Objects.requireNonNull(tree)).get(0));
    return "{\"" + list + "\":[" + (record + ",").repeat(RECORDS - 1) + record + "]}";
  }

  private static <T> void measure(String name, String text, Supplier<Parsed<T>> parser) {
    long first = 0;
    long best = Long.MAX_VALUE;
    int read = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long begun = System.nanoTime();
      Parsed<T> parsed = parser.get();
      long took = System.nanoTime() - begun;
      read = parsed.items().size();
      first = round == 0 ? took : first;
      best = Math.min(best, took);
    }
    System.out.printf(
        Locale.ROOT,
        "%-24s %6.1f MB  %,d records  first %6.0f ms  best of %d %6.0f ms%n",
        name,
        text.length() / 1e6,
        read,
        first / 1e6,
        ROUNDS,
        best / 1e6);
  }

  private static String file(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(SlurmAnswersBenchmark.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
