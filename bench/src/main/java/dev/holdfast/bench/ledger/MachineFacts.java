package dev.holdfast.bench.ledger;

import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;

/** What this machine is, as its kernel tells. */
public final class MachineFacts {
  private MachineFacts() {}

  public static String kernel() {
    return read("/proc/sys/kernel/osrelease").strip();
  }

  public static String processor() {
    return read("/proc/cpuinfo")
        .lines()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }

  /** The load average of the last minute, as the kernel writes it. */
  public static String load() {
    return read("/proc/loadavg").split(" ", -1)[0];
  }

  /** A file of the kernel; empty where it cannot be read. */
  static String read(String file) {
    return BoundedFile.read(Path.of(file), 4 << 20).text().orElse("");
  }
}
