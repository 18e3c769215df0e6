package dev.holdfast.bench.logs;

import java.util.Set;
import java.util.TreeSet;

/**
 * Who did it, and whether what is left tells so: made from what was planted and what was lost,
 * never from an answer.
 */
record LogLabel(LogMaker job, LogPlot plot) {
  Set<Integer> culprits() {
    return switch (job.fault) {
      case NETWORK, LOST_NODE, PREEMPTED, NONE -> Set.of();
      default -> Set.of(job.culprit);
    };
  }

  String node() {
    return switch (job.fault) {
      case PREEMPTED, NONE -> "";
      default -> Scribe.node(job.nodeOf(job.culprit));
    };
  }

  /** The rank's own words are lost, and the kernel's name the node. */
  boolean nodeOnly() {
    return switch (job.fault) {
      case NETWORK, LOST_NODE -> true;
      case ECC, LOST_GPU -> job.kernels && job.lost.contains(job.culprit);
      case HOST_MEMORY ->
          job.kernels && (job.lost.contains(job.culprit) || !job.info && !plot.endTold);
      default -> false;
    };
  }

  boolean decidable() {
    boolean heard = !job.lost.contains(job.culprit);
    return switch (job.fault) {
      case PREEMPTED, NONE -> false;
      case MISMATCH, STUCK_DEVICE -> heard && job.ranks - quiet().size() >= 3;
      case HANG -> alone();
      case CRASH -> plot.endTold || alone();
      case GPU_MEMORY, STORAGE, EXCEPTION -> heard || alone();
      case HOST_MEMORY -> job.kernels || plot.endTold || alone();
      case ECC, LOST_GPU -> heard || job.kernels || alone();
      case NETWORK -> job.kernels || job.info && job.nodes > 2 && job.ranks - job.lost.size() > 3;
      case LOST_NODE -> plot.endTold || job.info && nodeAlone();
    };
  }

  /** Of all of whom nothing is heard, the culprit is the only one, and it is few enough. */
  private boolean alone() {
    Set<Integer> quiet = quiet();
    quiet.add(job.culprit);
    return quiet.size() == 1 && job.ranks > 4;
  }

  private Set<Integer> quiet() {
    Set<Integer> quiet = new TreeSet<>(job.lost);
    quiet.addAll(job.cutOff);
    return quiet;
  }

  /** Nothing is heard of its ranks and of no others. */
  private boolean nodeAlone() {
    return job.lost.stream().allMatch(rank -> job.nodeOf(rank) == job.nodeOf(job.culprit))
        && job.perNode - job.lost.size() >= 2;
  }
}
