package dev.holdfast.bench.net;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.libc.CpuAffinity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The cores ranks can have to themselves. A rank bound to a core that others use as well, looking
 * again and again there, loses more than it wins; so what is busy is measured first.
 */
final class FreeCores {
  private static final long LOOK_MILLIS = 200;
  private static final double TICKS = 100;

  /** Less than this of a core in use by others is nobody. */
  private static final double QUIET = 0.5;

  private FreeCores() {}

  /** One for each rank; none when there are fewer free than ranks. */
  static List<Integer> of(NetPlan plan) throws IOException {
    List<Integer> cores = apart(CpuAffinity.permitted().stream().boxed().toList(), Path.of("/"));
    if (!plan.bind() || plan.transport() == Transport.NCCL || cores.size() < plan.ranks()) {
      return List.of();
    }
    int free = cores.size() - (int) Math.ceil(Math.max(0, busy() - QUIET));
    return free < plan.ranks() ? List.of() : List.copyOf(cores.subList(0, plan.ranks()));
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

  /** How many cores are in use now. */
  private static double busy() throws IOException {
    double before = seconds();
    long start = System.nanoTime();
    try {
      Thread.sleep(LOOK_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
    return (seconds() - before) / ((System.nanoTime() - start) / 1e9);
  }

  /** User, nice, system, irq and softirq of all processors so far. */
  private static double seconds() {
    String first =
        BoundedFile.read(Path.of("/proc/stat"), 4 << 20)
            .text()
            .flatMap(text -> text.lines().findFirst())
            .orElse("");
    double[] ticks =
        Arrays.stream(first.split("\\s+", -1)).skip(1).mapToDouble(FreeCores::number).toArray();
    return ticks.length < 7 ? 0 : (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / TICKS;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException untold) {
      return 0;
    }
  }
}
