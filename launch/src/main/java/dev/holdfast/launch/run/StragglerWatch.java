package dev.holdfast.launch.run;

import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.RankActivity;
import dev.holdfast.launch.watch.StragglerDetector;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Tells the operator, once each, of ranks and nodes that hold the job up. Only the leader knows all
 * ranks; nothing is stopped for it.
 */
final class StragglerWatch {
  private static final int SECONDS_A_ROUND = 5;

  private final RunLog log;
  private final Set<String> told = new HashSet<>();
  private StragglerDetector detector = new StragglerDetector(List.of(), _ -> "");
  private int attempt = -1;
  private int seconds;

  StragglerWatch(RunLog log) {
    this.log = log;
  }

  void attemptBegins(Assignment assignment) {
    attempt = assignment.attempt();
    told.clear();
    List<Integer> ranks = IntStream.range(0, assignment.worldSize()).boxed().toList();
    detector = new StragglerDetector(ranks, rank -> assignment.memberOf(rank).node());
  }

  /** Once a second, all ranks of the job. */
  void second(List<RankActivity> ranks) {
    detector.arrived(ranks);
    if (++seconds % SECONDS_A_ROUND != 0) {
      return;
    }
    detector.worked(ranks);
    for (StragglerDetector.Straggler straggler : detector.stragglers()) {
      if (told.add(straggler.rank() + " " + straggler.node())) {
        log.finding(attempt, "warning", "straggler: " + straggler.text());
      }
    }
  }
}
