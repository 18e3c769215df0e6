package dev.holdfast.control.slurm;

import java.time.Duration;
import java.util.Map;

/**
 * How Slurm is looked after.
 *
 * @param interval between two looks while nothing is in motion
 * @param deadline of each call: Slurm's programs hang while slurmctld is away
 * @param cluster the cluster it must be, empty: whichever answers
 * @param comments whether each node's health is written into its comment
 * @param environment of Slurm's programs, such as {@code SLURM_CONF=…}
 */
public record SlurmSettings(
    Duration interval,
    Duration deadline,
    String cluster,
    boolean comments,
    Map<String, String> environment) {
  public static final Duration INTERVAL = Duration.ofSeconds(10);
  public static final Duration DEADLINE = Duration.ofSeconds(10);

  public SlurmSettings {
    environment = Map.copyOf(environment);
    if (!interval.isPositive() || !deadline.isPositive()) {
      throw new IllegalArgumentException("interval and deadline must be longer than nothing");
    }
  }

  /** By Slurm's programs, as they are found and configured on this machine. */
  public static SlurmSettings usual() {
    return new SlurmSettings(INTERVAL, DEADLINE, "", false, Map.of());
  }
}
