package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.RankActivity;
import java.util.List;
import java.util.Optional;

/**
 * What the leader asks when it has to decide. Called on the rendezvous's own thread; must return
 * within milliseconds.
 */
public interface Judge {

  /** Looks at all ranks, once a second; a diagnosis interrupts the attempt. */
  Optional<Diagnosis> look(Assignment assignment, List<RankActivity> ranks);

  /** Why an attempt ended in which these ranks failed; never empty. */
  Diagnosis diagnose(Assignment assignment, List<RankEvidence> failed);

  /**
   * What to do now.
   *
   * @param spares nodes that could take the place of one left out
   */
  Decision decide(Assignment assignment, Diagnosis diagnosis, int spares);
}
