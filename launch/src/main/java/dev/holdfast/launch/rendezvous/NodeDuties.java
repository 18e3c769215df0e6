package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Assignment;
import java.time.Duration;

/**
 * What the rendezvous asks of this node. Called from the rendezvous's own thread, one at a time,
 * and must return at once.
 */
public interface NodeDuties {

  /** Start this node's ranks of the assignment. Only called when none of an earlier one is left. */
  void start(Assignment assignment);

  /**
   * End this node's ranks of the attempt; answered by {@link Rendezvous#stopped(int)}.
   *
   * @param grace from TERM to KILL
   * @param hang whether some ranks of the job hang: then a short look at them comes first
   */
  void stop(int attempt, Duration grace, String why, boolean hang);

  /** Look closely at this node's ranks: some of the job seem to hang. They go on. */
  void collect();

  /**
   * How long this node's ranks may live.
   *
   * @param untilNanos by {@link System#nanoTime}
   */
  void lease(long untilNanos);

  /** The job is over for this node: what its launcher exits with, and why. */
  void finish(int exitCode, String why);

  /** Something worth a line in the timeline, such as a node that joined. */
  void note(String kind, String text);
}
