package dev.holdfast.control.slurm;

import dev.holdfast.control.slurm.SlurmHand.Outcome;
import dev.holdfast.core.slurm.OwnReason;
import dev.holdfast.core.slurm.SlurmNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Keeps jobs off a node while it is verified, also when somebody resumes it meanwhile, and shows
 * that to everybody who looks at Slurm's reservations. Each ends by itself, so that nothing stays
 * closed when nobody is left to remove it. A node somebody else drained is not reserved, and only a
 * reservation of our name on that node alone is ever removed.
 */
final class Reservations {
  /** How their names begin; the name of the node follows. */
  static final String PREFIX = "holdfast-verify-";

  /** Longer than a verification may take. */
  private static final Duration LENGTH = Duration.ofMinutes(30);

  private final SlurmPrograms programs;
  private final CommandReader reader;

  Reservations(SlurmPrograms programs, CommandReader reader) {
    this.programs = programs;
    this.reader = reader;
  }

  Outcome make(String node) throws SlurmAway, SlurmRefusal {
    String name = PREFIX + node;
    Optional<SlurmNode> found = reader.node(node);
    if (found.isEmpty()) {
      return Outcome.refused("Slurm has no node " + node);
    }
    if (!found.get().drained() || !OwnReason.is(found.get().reason())) {
      return Outcome.refused(node + " is not drained by us, so it is not ours to reserve");
    }
    Optional<List<String>> there = reader.reservation(name);
    if (there.isPresent()) {
      return there.get().equals(List.of(node))
          ? Outcome.done("reserved already as " + name)
          : Outcome.refused(notOurs(name, there.get()));
    }
    programs.ask(
        "scontrol",
        "create",
        "reservation",
        "reservationname=" + name,
        "starttime=now",
        "duration=" + LENGTH.toMinutes(),
        "users=" + System.getProperty("user.name"),
        "nodes=" + node,
        "flags=maint,ignore_jobs");
    return Outcome.done("reserved as " + name);
  }

  Outcome remove(String node) throws SlurmAway, SlurmRefusal {
    String name = PREFIX + node;
    Optional<List<String>> there = reader.reservation(name);
    if (there.isEmpty()) {
      return Outcome.done("no reservation " + name);
    }
    if (!there.get().equals(List.of(node))) {
      return Outcome.refused(notOurs(name, there.get()));
    }
    programs.ask("scontrol", "delete", "reservationname=" + name);
    return Outcome.done("removed reservation " + name);
  }

  private static String notOurs(String name, List<String> nodes) {
    return "reservation %s is not ours: it holds %s".formatted(name, String.join(",", nodes));
  }
}
