package dev.holdfast.core.forensics.logs;

import java.util.List;

/**
 * How processes ended, told by whoever watched them: srun, torchrun, slurmctld.
 *
 * @param root the launcher itself calls it the first failure
 * @param nodeLost the whole node is gone
 * @param ranks empty: not told
 * @param node empty: not told
 * @param exitCode −1: none
 * @param signal 0: none
 * @param memory memory ran out
 */
record Ending(
    boolean root,
    boolean nodeLost,
    List<Integer> ranks,
    String node,
    int exitCode,
    int signal,
    boolean memory,
    Said said) {

  /** Killed, crashed or out of memory: nothing another rank can do to it. */
  boolean byItself() {
    return memory || signal == 4 || signal == 7 || signal == 8 || signal == 9 || signal == 11;
  }
}
