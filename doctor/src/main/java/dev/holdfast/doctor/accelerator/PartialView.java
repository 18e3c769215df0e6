package dev.holdfast.doctor.accelerator;

import dev.holdfast.doctor.node.NodeView;
import java.util.Optional;

/**
 * Whether this process may see only some of the node's accelerators: a container and a scheduler's
 * job show the whole PCI bus but hand out a few devices, and hide the processes of others. What is
 * missing there is not lost.
 */
public final class PartialView {
  private PartialView() {}

  /** Why the view is partial; empty on a node seen as a whole. */
  public static Optional<String> reason(NodeView node) {
    String identity = node.probe("identity").text().orElse("");
    if (has(identity, "container=yes") || has(identity, "processes=own")) {
      return Optional.of("seen from a container, which shows only the devices given to it");
    }
    String environment = node.probe("environment").text().orElse("");
    return environment.lines().anyMatch(line -> line.startsWith("SLURM_JOB_ID="))
            && !ofTheNode(environment)
        ? Optional.of("seen from a job, which shows only the devices given to it")
        : Optional.empty();
  }

  /** Slurm's prolog and epilog know the job's number, but run as the node sees itself. */
  private static boolean ofTheNode(String environment) {
    return environment
        .lines()
        .anyMatch(
            line ->
                line.equals("SLURM_SCRIPT_CONTEXT=prolog_slurmd")
                    || line.equals("SLURM_SCRIPT_CONTEXT=epilog_slurmd"));
  }

  private static boolean has(String text, String line) {
    return text.lines().anyMatch(line::equals);
  }
}
