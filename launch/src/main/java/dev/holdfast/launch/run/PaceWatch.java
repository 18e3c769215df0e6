package dev.holdfast.launch.run;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.launch.job.RankActivity;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.watch.Beat;
import dev.holdfast.launch.watch.NumericsWatch;
import dev.holdfast.launch.watch.StragglerDetector;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What this node's ranks tell of their training: phases for the timeline, losses that are lost,
 * ranks that hold the others up. Only told; nothing is stopped for it.
 */
final class PaceWatch {
  private static final int SECONDS_A_ROUND = 5;

  private final RunLog log;
  private final NumericsWatch numerics = new NumericsWatch();
  private final StragglerDetector stragglers;
  private final Set<Integer> told = new HashSet<>();
  private int attempt = -1;
  private int firstRank;
  private int seconds;

  PaceWatch(String node, RunLog log) {
    this.log = log;
    // Beats of one node are stamped by one clock.
    this.stragglers = new StragglerDetector(0, _ -> node, true);
  }

  void attemptBegins(int newAttempt, int newFirstRank, int howMany) {
    attempt = newAttempt;
    firstRank = newFirstRank;
    told.clear();
    numerics.attemptBegins();
    stragglers.attemptBegins(howMany);
  }

  /** What a rank told since the last look. */
  void told(int rank, List<Beat> fresh) {
    Optional<Diagnosis> lost = numerics.look(rank, fresh);
    lost.ifPresent(diagnosis -> log.finding(attempt, "degraded", RunJudge.sentence(diagnosis)));
    for (Beat beat : fresh) {
      if (beat.step() >= 0) {
        stragglers.arrived(rank, beat.step(), beat.seconds());
      }
      if (rank == firstRank && beat.event() != Beat.Event.NONE) {
        log.moment(
            beat.event() == Beat.Event.BEGIN ? Kinds.PHASE_BEGUN : Kinds.PHASE_ENDED,
            "attempt",
            attempt,
            "phase",
            beat.phase(),
            "rank",
            rank);
      }
    }
  }

  /** Once a second, all ranks of this node. */
  void second(List<RankActivity> ranks) {
    if (++seconds % SECONDS_A_ROUND != 0) {
      return;
    }
    stragglers.worked(ranks);
    for (StragglerDetector.Straggler straggler : stragglers.stragglers()) {
      if (told.add(straggler.rank())) {
        log.finding(attempt, "warning", "straggler: " + straggler.text());
      }
    }
  }
}
