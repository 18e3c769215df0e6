package dev.holdfast.core.slurm;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which cluster it is, from {@code scontrol show config}.
 *
 * @param time by slurmctld's clock, when it answered
 * @param boot when slurmctld was started, empty: not told
 */
public record SlurmIdentity(String cluster, String version, Optional<Instant> time, String boot) {
  private static final Pattern CLUSTER = setting("ClusterName");
  private static final Pattern VERSION = setting("SLURM_VERSION");
  private static final Pattern BOOT = setting("BOOT_TIME");
  private static final Pattern TIME =
      Pattern.compile("^Configuration data as of (\\S+)", Pattern.MULTILINE);

  private static Pattern setting(String name) {
    return Pattern.compile("^" + name + "\\s*=\\s*(\\S+)", Pattern.MULTILINE);
  }

  /**
   * Empty when the text names no cluster.
   *
   * @param zone of the machine on which scontrol ran
   */
  public static Optional<SlurmIdentity> of(String text, ZoneId zone) {
    return first(CLUSTER, text)
        .map(
            it ->
                new SlurmIdentity(
                    it,
                    first(VERSION, text).orElse(""),
                    first(TIME, text).flatMap(time -> SlurmTime.read(time, zone)),
                    first(BOOT, text).orElse("")));
  }

  private static Optional<String> first(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }
}
