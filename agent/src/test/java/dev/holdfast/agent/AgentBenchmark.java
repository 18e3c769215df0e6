package dev.holdfast.agent;

import dev.holdfast.agent.memory.Memory;
import dev.holdfast.agent.testing.TryAgent;
import dev.holdfast.agent.testing.TryNode;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What does the agent cost, and how fast is it? Run by hand, from the root of the checkout:
 *
 * <ul>
 *   <li>{@code latency}: 10,000 kernel lines at random times, one in ten an Xid; from the write of
 *       the line until its report is in the log and handed to the sender
 *   <li>{@code faults}: twenty times a GPU is lost and a link goes down on the simulated node;
 *       until its report waits to be sent
 *   <li>{@code cost HOLDFAST SECONDS}: processor time and memory of {@code HOLDFAST agent} on the
 *       simulated node of eight GPUs and adapters, after a minute of warming up
 * </ul>
 */
public final class AgentBenchmark {
  private static final int LINES = 10_000;
  private static final int EVERY = 10;
  private static final String[] GPUS = {"1b", "43", "52", "61", "9d", "c3", "d1", "df"};

  /** Two lines of the same code and device within ten seconds would be one report. */
  private static final int MOST_CODE = 110;

  private AgentBenchmark() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("agent-benchmark");
    try {
      switch (arguments[0]) {
        case "latency" -> latency(folder);
        case "faults" -> faults(folder);
        case "cost" -> cost(folder, arguments[1], Integer.parseInt(arguments[2]));
        default -> throw new IllegalArgumentException("latency, faults or cost");
      }
    } finally {
      try (var files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).forEach(AgentBenchmark::delete);
      }
    }
    System.exit(0);
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void latency(Path folder) throws Exception {
    TryNode node = TryNode.in(folder);
    Map<String, Long> written = new ConcurrentHashMap<>();
    List<Double> millis = new ArrayList<>();
    try (Agent agent = TryAgent.start(node, folder.resolve("state"), Optional.empty())) {
      Thread.sleep(Duration.ofSeconds(15));
      drain(agent.memory(), written, millis);
      millis.clear();
      Thread writer = Thread.ofPlatform().start(() -> write(node, written));
      while (writer.isAlive()) {
        drain(agent.memory(), written, millis);
      }
      long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
      while (!written.isEmpty() && System.nanoTime() < end) {
        drain(agent.memory(), written, millis);
      }
    }
    show("Xid line → report to be sent, " + LINES + " lines", "ms", millis);
    System.out.println(
        "not told (mild, known to follow from another, or folded): " + written.size());
  }

  /** Every Xid names a process of its own, by which its report is known again. */
  private static void write(TryNode node, Map<String, Long> written) {
    Random random = new Random(1);
    for (int i = 0; i < LINES; i++) {
      try {
        Thread.sleep(random.nextInt(8));
      } catch (InterruptedException e) {
        return;
      }
      if (i % EVERY == 0) {
        int kind = i / EVERY;
        String gpu = GPUS[kind % GPUS.length];
        int code = 1 + kind / GPUS.length % MOST_CODE;
        String line = TryNode.xid(code, gpu, TryNode.UPTIME - LINES + i).replace("4711", "p" + i);
        written.put("p" + i, System.nanoTime());
        node.kernelSays(line);
      } else {
        node.kernelSays(
            "<6>[%6d.000000] usb 1-1: device number %d".formatted(TryNode.UPTIME - LINES + i, i));
      }
    }
  }

  private static void drain(Memory memory, Map<String, Long> written, List<Double> millis)
      throws InterruptedException {
    List<String> batch = memory.next(500, Duration.ofMillis(20));
    long now = System.nanoTime();
    Report last = null;
    for (String line : batch) {
      last = Report.of(line);
      if (last.statement() instanceof Statement.Raised(Finding finding, long _)) {
        String text = finding.evidence().getFirst().value();
        for (Map.Entry<String, Long> entry : Map.copyOf(written).entrySet()) {
          if (text.contains("pid=" + entry.getKey() + ",")) {
            millis.add((now - entry.getValue()) / 1e6);
            written.remove(entry.getKey());
          }
        }
      }
    }
    if (last != null) {
      memory.received(new Receipt(last.source(), last.epoch(), last.sequence()));
    }
  }

  private static void faults(Path folder) throws Exception {
    TryNode node = TryNode.in(folder);
    List<Double> gpu = new ArrayList<>();
    List<Double> link = new ArrayList<>();
    Random random = new Random(2);
    try (Agent agent = TryAgent.start(node, folder.resolve("state"), Optional.empty())) {
      Thread.sleep(Duration.ofSeconds(15));
      for (int i = 0; i < 20; i++) {
        Thread.sleep(random.nextInt(2_000));
        node.gpuLost(i % 8);
        gpu.add(until(agent.memory(), "gpu.reachable", "gpu/" + i % 8));
        node.gpuBack(folder);
        node.link("mlx5_" + i % 8, false);
        link.add(until(agent.memory(), "nic.link.state", "mlx5_" + i % 8 + "/1"));
        node.link("mlx5_" + i % 8, true);
        Thread.sleep(4_000);
      }
    }
    show("GPU lost → report", "s", gpu);
    show("link down → report", "s", link);
  }

  private static double until(Memory memory, String check, String subject)
      throws InterruptedException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < Duration.ofSeconds(60).toNanos()) {
      List<String> batch = memory.next(500, Duration.ofMillis(20));
      boolean found = false;
      for (String line : batch) {
        Report report = Report.of(line);
        memory.received(new Receipt(report.source(), report.epoch(), report.sequence()));
        found |=
            report.statement() instanceof Statement.Raised(Finding finding, long _)
                && finding.check().equals(check)
                && finding.subject().toString().endsWith(subject);
      }
      if (found) {
        return (System.nanoTime() - start) / 1e9;
      }
    }
    throw new AssertionError("never told: " + check + " " + subject);
  }

  private static void show(String what, String unit, List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    System.out.printf(
        Locale.ROOT,
        "%s: n %d, median %.1f %s, p99 %.1f %s, max %.1f %s%n",
        what,
        sorted.size(),
        sorted.get(sorted.size() / 2),
        unit,
        sorted.get(Math.min(sorted.size() - 1, sorted.size() * 99 / 100)),
        unit,
        sorted.getLast(),
        unit);
  }

  private static void cost(Path folder, String holdfast, int seconds) throws Exception {
    TryNode node = TryNode.in(folder);
    Process agent =
        new ProcessBuilder(
                holdfast,
                "agent",
                "--from",
                node.folder().toString(),
                "--state",
                folder.resolve("state").toString(),
                "--kernel-log",
                node.kernelLog().toString(),
                "--socket",
                folder.resolve("agent.sock").toString(),
                "--metrics-port",
                "17071")
            .inheritIO()
            .start();
    try {
      Thread.sleep(Duration.ofSeconds(60));
      long before = ticks(agent.pid());
      long start = System.nanoTime();
      long most = 0;
      while (System.nanoTime() - start < Duration.ofSeconds(seconds).toNanos()) {
        Thread.sleep(5_000);
        most = Math.max(most, resident(agent.pid()));
      }
      double elapsed = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          Locale.ROOT,
          "%.2f %% of one core over %.0f s; resident at most %.1f MiB (children: %d)%n",
          (ticks(agent.pid()) - before) / elapsed,
          elapsed,
          most / 1024.0,
          agent.descendants().count());
    } finally {
      agent.destroy();
      agent.waitFor();
    }
  }

  /** Hundredths of a second on a core, in user and in kernel mode. */
  private static long ticks(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
  }

  private static long resident(long pid) throws IOException {
    Map<String, Long> kilobytes = new HashMap<>();
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith("VmRSS")) {
        kilobytes.put("VmRSS", Long.parseLong(line.replaceAll("\\D", "")));
      }
    }
    return kilobytes.getOrDefault("VmRSS", 0L);
  }
}
