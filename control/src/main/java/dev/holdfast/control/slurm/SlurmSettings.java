package dev.holdfast.control.slurm;

import dev.holdfast.os.net.PlainHttp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How Slurm is looked after.
 *
 * @param interval between two looks while nothing is in motion
 * @param deadline of each call: Slurm's programs hang while slurmctld is away
 * @param cluster the cluster it must be, empty: whichever answers
 * @param comments whether each node's health is written into its comment
 * @param cancels whether a job is cancelled that must leave a node at once and may not be requeued
 * @param rest the slurmrestd to read from
 * @param environment of Slurm's programs, such as {@code SLURM_CONF=…}
 */
public record SlurmSettings(
    Duration interval,
    Duration deadline,
    String cluster,
    boolean comments,
    boolean cancels,
    Rest rest,
    Map<String, String> environment) {
  /**
   * A slurmrestd.
   *
   * @param place {@code unix:/path} or {@code http://host:port}, empty: none
   * @param token the file with a token for it, none: {@code SLURM_JWT}, where that is set
   */
  public record Rest(String place, Optional<Path> token) {
    public static final Rest NONE = new Rest("", Optional.empty());

    /** {@link IllegalArgumentException} if that is no place to ask. */
    public static Rest at(String place, Optional<Path> token) {
      var _ = PlainHttp.at(place, DEADLINE, 0);
      return new Rest(place, token);
    }
  }

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
    return new SlurmSettings(INTERVAL, DEADLINE, "", false, false, Rest.NONE, Map.of());
  }
}
