package dev.holdfast.core.slurm;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A node as Slurm has it.
 *
 * @param states its state and all flags, in Slurm's capital words
 * @param reason why it is drained or down, empty: none given
 * @param reasonBy who said so, empty: not known
 * @param gres its generic resources as Slurm writes them
 */
public record SlurmNode(
    String name,
    Set<String> states,
    String reason,
    String reasonBy,
    Optional<Instant> reasonAt,
    String comment,
    List<String> partitions,
    String gres) {
  private static final Set<String> USED = Set.of("ALLOCATED", "MIXED", "COMPLETING");

  private static final Set<String> CLOSED =
      Set.of(
          "DOWN",
          "ERROR",
          "FUTURE",
          "UNKNOWN",
          "DRAIN",
          "FAIL",
          "NOT_RESPONDING",
          "POWERED_DOWN",
          "POWERING_DOWN",
          "POWER_DOWN",
          "POWER_DRAIN",
          "MAINTENANCE",
          "REBOOT_REQUESTED",
          "REBOOT_ISSUED",
          "INVALID_REG",
          "INVALID",
          "BLOCKED");

  public SlurmNode {
    states = Set.copyOf(states);
    partitions = List.copyOf(partitions);
  }

  /** Whether Slurm may start a job there. */
  public boolean takesJobs() {
    return states.stream().noneMatch(CLOSED::contains);
  }

  /** Whether a word of it is none we know, so that what it means for jobs is a guess. */
  public boolean doubtful() {
    return !SlurmWords.NODE.containsAll(states);
  }

  /** Whether a job is there, or still on its way out. */
  public boolean used() {
    return states.stream().anyMatch(USED::contains);
  }

  /** Whether somebody took it out: it stays out until somebody puts it back. */
  public boolean drained() {
    return states.contains("DRAIN") || states.contains("FAIL");
  }

  public boolean down() {
    return states.contains("DOWN") || states.contains("ERROR");
  }

  /** Words for people and records: {@code mixed+drain}. */
  public String state() {
    return String.join("+", new TreeSet<>(states).descendingSet()).toLowerCase(Locale.ROOT);
  }
}
