package dev.holdfast.control.slurm;

import dev.holdfast.core.slurm.Parsed;
import dev.holdfast.core.slurm.ScontrolText;
import dev.holdfast.core.slurm.SlurmIdentity;
import dev.holdfast.core.slurm.SlurmJob;
import dev.holdfast.core.slurm.SlurmNode;
import dev.holdfast.core.slurm.SlurmStep;
import dev.holdfast.core.slurm.SqueueText;
import dev.holdfast.core.text.Hostlist;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads by Slurm's programs, as text: its form has been the same since 22.05, while the JSON
 * changed and needs a library Slurm is not always built with.
 */
final class CommandReader {
  private static final Pattern RESERVED =
      Pattern.compile("^ReservationName=(\\S+) .*\\R +Nodes=(\\S+) ", Pattern.MULTILINE);

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
    Optional<String> text = known("not found", "scontrol", "show", "node", name);
    return text.isEmpty()
        ? Optional.empty()
        : one(scontrol.nodes(text.get()), it -> it.name().equals(name));
  }

  /** One job; empty: Slurm has forgotten it. */
  Optional<SlurmJob> job(long id) throws SlurmAway {
    Optional<String> text =
        known(
            "Invalid job id",
            "squeue",
            "--noheader",
            "--all",
            "--states=all",
            "--jobs=" + id,
            "--Format=" + SqueueText.JOBS);
    return text.isEmpty() ? Optional.empty() : one(squeue.jobs(text.get()), it -> it.id() == id);
  }

  /** The same with the nodes it will not be given, which squeue does not tell. */
  Optional<SlurmJob> details(SlurmJob job) throws SlurmAway {
    Optional<String> text = known("Invalid job id", "scontrol", "show", "job", job.handle());
    return text.isEmpty()
        ? Optional.empty()
        : one(scontrol.jobs(text.get()), it -> it.id() == job.id());
  }

  /** The nodes a reservation holds; empty: there is none of that name. */
  Optional<List<String>> reservation(String name) throws SlurmAway {
    Optional<String> text = known("not found", "scontrol", "show", "reservation", name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Matcher found = RESERVED.matcher(text.get());
    if (!found.find() || !found.group(1).equals(name)) {
      throw new SlurmAway.Garbled("scontrol show reservation " + name);
    }
    return Optional.of(
        found.group(2).equals("(null)") ? List.of() : Hostlist.expand(found.group(2)));
  }

  /** The answer; empty when Slurm says in these words that there is nothing of the kind. */
  private Optional<String> known(String unknown, String program, String... arguments)
      throws SlurmAway {
    try {
      return Optional.of(programs.ask(program, arguments));
    } catch (SlurmRefusal refused) {
      String why = String.valueOf(refused.getMessage());
      if (why.contains(unknown)) {
        return Optional.empty();
      }
      throw new SlurmAway(program + ": " + why);
    }
  }

  /** An answer that could not be read is no answer: what it lacks may still be there. */
  private static <T> Optional<T> one(Parsed<T> answer, Predicate<T> wanted) throws SlurmAway {
    Optional<T> found = answer.items().stream().filter(wanted).findFirst();
    if (found.isEmpty() && !answer.whole()) {
      throw new SlurmAway.Garbled(answer.firstBroken());
    }
    return found;
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
