package dev.holdfast.bench.net;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.libc.CpuAffinity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cores ranks can have to themselves. A rank bound to a core that others use as well, looking
 * again and again there, loses more than it wins; so what is busy is measured first.
 */
final class FreeCores {
  private static final long LOOK_MILLIS = 200;
  private static final double TICKS = 100;

  /** Less than this of a core in use by others is nobody. */
  private static final double QUIET = 0.5;

  private static final Pattern CORE = Pattern.compile("^cpu(\\d{1,9})\\s");

  private FreeCores() {}

  /** One for each rank; none when there are fewer free than ranks. */
  static List<Integer> of(NetPlan plan) throws IOException {
    List<Integer> cores = apart(CpuAffinity.permitted().stream().boxed().toList(), Path.of("/"));
    if (!plan.bind() || plan.transport() == Transport.NCCL || cores.size() < plan.ranks()) {
      return List.of();
    }
    return free(cores, busy(), plan.ranks());
  }

  /**
   * Cores for so many ranks, those that nobody keeps busy; none when there are too few.
   *
   * @param busy the share of each that is in use now; one that is not told is not in use
   */
  static List<Integer> free(List<Integer> cores, Map<Integer, Double> busy, int ranks) {
    double all = busy.values().stream().mapToDouble(Double::doubleValue).sum();
    // Somebody who wanders from core to core keeps none of them busy, and yet needs one.
    if (cores.size() - (int) Math.ceil(Math.max(0, all - QUIET)) < ranks) {
      return List.of();
    }
    return cores.stream()
        .sorted(Comparator.comparing(core -> busy.getOrDefault(core, 0.0) > QUIET))
        .limit(ranks)
        .toList();
  }

  /**
   * The first hardware thread of every core before any second one: two ranks that share a core get
   * half of it each.
   */
  static List<Integer> apart(List<Integer> processors, Path root) {
    List<Integer> first = new ArrayList<>();
    List<Integer> others = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int processor : processors) {
      Path file =
          root.resolve("sys/devices/system/cpu/cpu" + processor + "/topology/thread_siblings_list");
      String core = BoundedFile.read(file, 4096).text().map(String::strip).orElse("");
      (core.isEmpty() || seen.add(core) ? first : others).add(processor);
    }
    first.addAll(others);
    return first;
  }

  /** The share of each core that is in use now. */
  private static Map<Integer, Double> busy() throws IOException {
    Map<Integer, Double> before = seconds(stat());
    long start = System.nanoTime();
    try {
      Thread.sleep(LOOK_MILLIS);
    } catch (InterruptedException interrupted) {
      throw new Stopped(interrupted);
    }
    Map<Integer, Double> after = seconds(stat());
    double length = (System.nanoTime() - start) / 1e9;
    Map<Integer, Double> busy = new HashMap<>();
    before.forEach(
        (core, then) -> busy.put(core, (after.getOrDefault(core, then) - then) / length));
    return busy;
  }

  private static String stat() {
    return BoundedFile.read(Path.of("/proc/stat"), 4 << 20).text().orElse("");
  }

  /** User, nice, system, irq and softirq of each processor so far. */
  static Map<Integer, Double> seconds(String stat) {
    Map<Integer, Double> seconds = new HashMap<>();
    for (String line : stat.lines().toList()) {
      Matcher core = CORE.matcher(line);
      if (core.find()) {
        double[] ticks =
            Arrays.stream(line.split("\\s+", -1)).skip(1).mapToDouble(FreeCores::number).toArray();
        seconds.put(
            Integer.parseInt(core.group(1)),
            ticks.length < 7 ? 0 : (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / TICKS);
      }
    }
    return seconds;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException untold) {
      return 0;
    }
  }
}
