package dev.holdfast.core.kernel;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How many lines a second does one core decode? Run by hand; prints figures for storms in which
 * every line matters and for a log in which none does.
 */
public final class KernelLogBenchmark {
  private static final int LINES = 4096;
  private static final int ROUNDS = 400;

  private KernelLogBenchmark() {}

  public static void main(String[] arguments) {
    measure("storm of Xids", storm());
    measure("storm of all rules", mixture());
    measure("quiet boot log", quiet());
  }

  private static void measure(String name, String text) {
    int events = 0;
    for (int round = 0; round < ROUNDS; round++) {
      events += decode(text);
    }
    long start = cpuNanos();
    for (int round = 0; round < ROUNDS; round++) {
      events += decode(text);
    }
    double seconds = (cpuNanos() - start) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%-20s %,12.0f lines/s  %8.3f ms for %d lines  (%d events)%n",
        name,
        LINES * (double) ROUNDS / seconds,
        seconds * 1000 / ROUNDS,
        LINES,
        events / (2 * ROUNDS));
  }

  /** Time of this thread on a core, so that a busy machine does not blur the figure. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static int decode(String text) {
    return KernelLog.decode(text, Optional.empty(), Optional.of("575.57.08")).size();
  }

  private static String storm() {
    StringBuilder text = new StringBuilder();
    int[] codes = {13, 31, 43, 45, 48, 63, 74, 79, 94, 119, 145, 154};
    for (int line = 0; line < LINES; line++) {
      text.append(
          String.format(
              Locale.ROOT,
              "<3>[%6d.%06d] NVRM: Xid (PCI:0000:%02x:00): %d, pid=%d, name=python3, text text%n",
              line / 10,
              line,
              line % 8 + 0x3b,
              codes[line % codes.length],
              line));
    }
    return text.toString();
  }

  private static String mixture() {
    List<KernelRule> rules = KernelRule.entries();
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < LINES; line++) {
      text.append(String.format(Locale.ROOT, "6,%d,%d000,-;", line, line))
          .append(rules.get(line % rules.size()).example())
          .append('\n');
    }
    return text.toString();
  }

  private static String quiet() {
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < LINES; line++) {
      text.append(
          String.format(
              Locale.ROOT,
              "<6>[%6d.%06d] pci 0000:%02x:00.0: BAR 0: assigned [mem 0x%08x-0x%08x 64bit pref]%n",
              line / 10,
              line,
              line % 200,
              line * 4096,
              line * 4096 + 4095));
    }
    return text.toString();
  }
}
