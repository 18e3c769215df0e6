package dev.holdfast.agent.watch;

import dev.holdfast.os.nvml.Nvml;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How often a check is worth its cost. The table goes from the check's id, or the longest beginning
 * of it that stands here; what is not named changes only when somebody changes it.
 */
public enum Pace {
  /** Reads the kernel log, and is put to each new line of it. */
  LOG(Duration.ZERO, Nvml.Depth.PRESENCE),
  LINK(Duration.ofSeconds(1), Nvml.Depth.PRESENCE),
  PRESENCE(Duration.ofSeconds(2), Nvml.Depth.PRESENCE),
  COUNTER(Duration.ofSeconds(30), Nvml.Depth.STATE),
  MINUTE(Duration.ofMinutes(1), Nvml.Depth.PRESENCE),
  SLOW(Duration.ofMinutes(10), Nvml.Depth.ALL);

  private static final Map<Pace, List<String>> TABLE =
      Map.of(
          LOG,
          List.of(
              "gpu.kernel",
              "nic.driver.log",
              "pcie.log",
              "storage.remote",
              "kernel.machinecheck",
              "kernel.lockup",
              "kernel.oops",
              "kernel.hungtask",
              "kernel.oom",
              "kernel.process.crash"),
          LINK,
          List.of("nic.link.state"),
          PRESENCE,
          List.of("gpu.count", "gpu.reachable"),
          COUNTER,
          List.of(
              "gpu.health",
              "gpu.recovery",
              "gpu.ecc",
              "gpu.rows",
              "gpu.pages",
              "gpu.memory",
              "gpu.throttle",
              "gpu.temperature",
              "gpu.clock",
              "gpu.nvlink",
              "gpu.fabric",
              "gpu.pcie",
              "nic.count",
              "nic.link",
              "nic.errors",
              "nic.rdma",
              "nic.congestion",
              "nic.pause",
              "nic.discards",
              "pcie.errors",
              "pcie.link",
              "network.interface",
              "memory.errors"),
          MINUTE,
          List.of(
              "nic.module.temperature",
              "nic.congestion.settings",
              "processor.throttle",
              "processor.load",
              "memory.available",
              "memory.pressure",
              "memory.swap",
              "storage",
              "system.clock",
              "system.files",
              "system.processes",
              "system.services",
              "system.slurm",
              "kernel.log.storm"));

  private final Duration period;
  private final Nvml.Depth depth;

  Pace(Duration period, Nvml.Depth depth) {
    this.period = period;
    this.depth = depth;
  }

  public Duration period() {
    return period;
  }

  public Nvml.Depth depth() {
    return depth;
  }

  /** The pace of a check. */
  public static Pace of(String check) {
    Pace chosen = SLOW;
    int length = -1;
    for (Map.Entry<Pace, List<String>> row : TABLE.entrySet()) {
      for (String prefix : row.getValue()) {
        boolean fits = check.equals(prefix) || check.startsWith(prefix + ".");
        if (fits && prefix.length() > length) {
          chosen = row.getKey();
          length = prefix.length();
        }
      }
    }
    return chosen;
  }
}
