package dev.holdfast.bench.load;

import dev.holdfast.os.file.BoundedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a process costs its machine, as /proc says. Process 0 is one that cannot be seen. */
public record ProcessGauge(long pid) {
  /** Linux counts processor time for user programs in hundredths of a second everywhere. */
  private static final double TICK_SECONDS = 0.01;

  private static final int PAGE_KIB = 1024;

  public boolean visible() {
    return pid > 0 && Files.isReadable(folder().resolve("stat"));
  }

  private Path folder() {
    return Path.of("/proc", Long.toString(pid));
  }

  /** Processor time so far, in two forms. */
  public record Spent(double seconds, double exact) {
    /** What was spent since then: to the nanosecond, unless a thread ended and took its share. */
    public double since(Spent before) {
      double coarse = seconds - before.seconds;
      double fine = exact - before.exact;
      return Math.abs(coarse - fine) <= 3 * TICK_SECONDS ? fine : coarse;
    }
  }

  public Spent spent() {
    return new Spent(cpuSeconds(), cpuSecondsExact());
  }

  /** Processor time of all its threads, those that ended too, in steps of 10 ms. */
  public double cpuSeconds() {
    if (pid <= 0) {
      return Double.NaN;
    }
    String stat = read("stat");
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_SECONDS;
  }

  /**
   * Processor time of the threads it has now, to the nanosecond: for what takes a few hundredths of
   * a second. A thread that ends takes its share along.
   */
  public double cpuSecondsExact() {
    if (pid <= 0) {
      return Double.NaN;
    }
    try (Stream<Path> threads = Files.list(folder().resolve("task"))) {
      return threads
              .map(thread -> BoundedFile.read(thread.resolve("schedstat"), 256).text().orElse("0 "))
              .mapToLong(line -> Long.parseLong(line.substring(0, line.indexOf(' '))))
              .sum()
          / 1e9;
    } catch (IOException gone) {
      return Double.NaN;
    }
  }

  /** Memory the process has in RAM. */
  public long residentBytes() {
    for (String line : read("status").split("\n", -1)) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * PAGE_KIB;
      }
    }
    return 0;
  }

  /** Files and sockets it has open. Newer kernels tell without listing them. */
  public int descriptors() {
    Path folder = folder().resolve("fd");
    try {
      long told = Files.size(folder);
      if (told > 0) {
        return (int) told;
      }
      try (Stream<Path> all = Files.list(folder)) {
        return (int) all.count();
      }
    } catch (IOException gone) {
      return 0;
    }
  }

  private String read(String file) {
    return BoundedFile.read(folder().resolve(file), 1 << 16)
        .text()
        .orElseThrow(() -> new IllegalStateException("process " + pid + " has ended"));
  }
}
