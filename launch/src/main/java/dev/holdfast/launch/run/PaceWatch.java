package dev.holdfast.launch.run;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.watch.Beat;
import dev.holdfast.launch.watch.NumericsWatch;
import java.util.List;

/**
 * What this node's ranks tell of their training: phases for the timeline, and losses that are lost.
 * Only told; nothing is stopped for it.
 */
final class PaceWatch {
  private final RunLog log;
  private final NumericsWatch numerics = new NumericsWatch();
  private int attempt = -1;
  private int firstRank;

  PaceWatch(RunLog log) {
    this.log = log;
  }

  void attemptBegins(int newAttempt, int newFirstRank) {
    attempt = newAttempt;
    firstRank = newFirstRank;
    numerics.attemptBegins();
  }

  /** What a rank told since the last look. */
  void told(int rank, List<Beat> fresh) {
    numerics.look(rank, fresh, System.nanoTime());
    for (Beat beat : fresh) {
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

  /** Once a second, after all ranks of this node were asked. */
  void second() {
    for (Diagnosis lost : numerics.found(System.nanoTime())) {
      log.finding(attempt, "degraded", RunJudge.sentence(lost));
    }
  }
}
