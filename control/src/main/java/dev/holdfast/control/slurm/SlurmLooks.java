package dev.holdfast.control.slurm;

import dev.holdfast.core.slurm.Parsed;
import dev.holdfast.core.slurm.SlurmJob;
import dev.holdfast.core.slurm.SlurmNode;
import dev.holdfast.core.slurm.SlurmStep;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One look at Slurm: by slurmrestd where one is named, and by Slurm's programs for as long as that
 * does not answer, so that it can only help.
 */
final class SlurmLooks {
  /** What was seen, by what, and why not by slurmrestd; empty: it was, or none is named. */
  record Look(
      Parsed<SlurmNode> nodes,
      Parsed<SlurmJob> jobs,
      Parsed<SlurmStep> steps,
      String by,
      String restProblem) {}

  /** So long slurmrestd is left alone after it did not answer. */
  private static final Duration REST = Duration.ofMinutes(1);

  private final CommandReader commands;
  private final Optional<RestReader> rest;
  private final Clock clock;
  private Instant nextTry = Instant.MIN;
  private String problem = "";

  SlurmLooks(CommandReader commands, Optional<RestReader> rest, Clock clock) {
    this.commands = commands;
    this.rest = rest;
    this.clock = clock;
  }

  /** Requests to slurmrestd so far. */
  long calls() {
    return rest.map(RestReader::calls).orElse(0L);
  }

  Look look(String cluster) throws SlurmAway {
    if (rest.isPresent() && !clock.instant().isBefore(nextTry)) {
      try {
        Parsed<SlurmNode> nodes = rest.get().nodes(cluster);
        Parsed<SlurmJob> jobs = rest.get().jobs();
        problem = "";
        return new Look(nodes, jobs, steps(jobs), rest.get().name(), "");
      } catch (SlurmAway away) {
        problem = String.valueOf(away.getMessage());
        nextTry = clock.instant().plus(REST);
      }
    }
    Parsed<SlurmNode> nodes = commands.nodes();
    Parsed<SlurmJob> jobs = commands.jobs();
    return new Look(nodes, jobs, steps(jobs), "programs", problem);
  }

  private Parsed<SlurmStep> steps(Parsed<SlurmJob> jobs) throws SlurmAway {
    return jobs.items().isEmpty() ? Parsed.none() : commands.steps();
  }
}
