package dev.holdfast.launch.platform;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the surroundings of a launcher say about its job. Options win over all of it.
 *
 * @param name {@code slurm}, {@code kubernetes}, {@code jobset}, {@code lws}, {@code volcano},
 *     {@code sagemaker}, {@code azureml}, {@code modelarts}, {@code mpi}, {@code environment} (only
 *     MASTER_ADDR and the like) or {@code local}
 * @param job the job's name, the same on all its nodes
 * @param run tells runs of that job apart that share a log folder; empty: nothing to tell apart
 * @param node the name of this node
 * @param nodeRank where it stands among the others
 * @param nodeCount how many there are
 * @param nodes their names in order; empty: not known
 * @param host where launchers can meet
 * @param port where launchers can meet, if the platform promises one
 * @param processes how many ranks the platform means this node to have
 * @param address where others reach this node
 * @param grace from TERM to KILL when the platform ends the job
 * @param failureFiles where the platform looks for the reason of a failure
 * @param environment what the program expects to find and the platform does not set
 * @param program what to run when the platform itself says it; empty: it does not
 * @param troubles what cannot be used of it, unless an option says it better
 * @param notes what an operator may want to know
 */
public record Platform(
    String name,
    Optional<String> job,
    String run,
    String node,
    OptionalInt nodeRank,
    OptionalInt nodeCount,
    List<String> nodes,
    Optional<String> host,
    OptionalInt port,
    OptionalInt processes,
    Optional<String> address,
    Duration grace,
    List<String> failureFiles,
    Map<String, String> environment,
    List<String> program,
    List<Trouble> troubles,
    List<String> notes) {

  public Platform {
    nodes = List.copyOf(nodes);
    failureFiles = List.copyOf(failureFiles);
    environment = Map.copyOf(environment);
    program = List.copyOf(program);
    troubles = List.copyOf(troubles);
    notes = List.copyOf(notes);
  }

  /** Fails if what the surroundings say of this cannot be used. */
  public void require(Trait trait) {
    for (Trouble trouble : troubles) {
      if (trouble.trait() == trait) {
        throw trouble.error();
      }
    }
  }
}
