package dev.holdfast.control.slurm;

import dev.holdfast.core.slurm.Parsed;
import dev.holdfast.core.slurm.ScontrolText;
import dev.holdfast.core.slurm.SlurmIdentity;
import dev.holdfast.core.slurm.SlurmJob;
import dev.holdfast.core.slurm.SlurmNode;
import dev.holdfast.core.slurm.SlurmStep;
import dev.holdfast.core.slurm.SqueueText;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Reads by Slurm's programs, as text: its form has been the same since 22.05, while the JSON
 * changed and needs a library Slurm is not always built with.
 */
final class CommandReader {
  private final SlurmPrograms programs;
  private final ScontrolText scontrol = new ScontrolText(ZoneId.systemDefault());
  private final SqueueText squeue = new SqueueText(ZoneId.systemDefault());

  CommandReader(SlurmPrograms programs) {
    this.programs = programs;
  }

  SlurmIdentity identity() throws SlurmAway {
    return SlurmIdentity.of(read("scontrol", "show", "config"), ZoneId.systemDefault())
        .orElseThrow(() -> new SlurmAway("scontrol show config names no cluster"));
  }

  Parsed<SlurmNode> nodes() throws SlurmAway {
    return scontrol.nodes(read("scontrol", "show", "nodes"));
  }

  Parsed<SlurmJob> jobs() throws SlurmAway {
    return squeue.jobs(
        read("squeue", "--noheader", "--all", "--states=all", "--Format=" + SqueueText.JOBS));
  }

  Parsed<SlurmStep> steps() throws SlurmAway {
    return squeue.steps(
        read("squeue", "--noheader", "--all", "--steps", "--format=" + SqueueText.STEPS));
  }

  /** One node; empty: Slurm has none of that name. */
  Optional<SlurmNode> node(String name) throws SlurmAway {
    try {
      return scontrol.nodes(programs.ask("scontrol", "show", "node", name)).items().stream()
          .filter(it -> it.name().equals(name))
          .findFirst();
    } catch (SlurmRefusal unknown) {
      return Optional.empty();
    }
  }

  /** One job; empty: Slurm has forgotten it. */
  Optional<SlurmJob> job(long id) throws SlurmAway {
    try {
      return squeue
          .jobs(
              programs.ask(
                  "squeue",
                  "--noheader",
                  "--all",
                  "--states=all",
                  "--jobs=" + id,
                  "--Format=" + SqueueText.JOBS))
          .items()
          .stream()
          .filter(it -> it.id() == id)
          .findFirst();
    } catch (SlurmRefusal unknown) {
      return Optional.empty();
    }
  }

  /** The jobs on a node, those on their way out too. */
  Parsed<SlurmJob> jobsOn(String node) throws SlurmAway {
    return squeue.jobs(
        read("squeue", "--noheader", "--all", "--nodelist=" + node, "--Format=" + SqueueText.JOBS));
  }

  private String read(String program, String... arguments) throws SlurmAway {
    try {
      return programs.ask(program, arguments);
    } catch (SlurmRefusal refused) {
      throw new SlurmAway(program + ": " + refused.getMessage());
    }
  }
}
