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
  /** The most texts that go with a record. */
  int MOST_TOLD = 32;

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

  /** Nodes that should not be used from the next attempt on, as far as others are there. */
  default List<String> avoided() {
    return List.of();
  }

  /**
   * What a launcher that leads later must know beside the record; goes to all with it. At most
   * {@link #MOST_TOLD} texts of 4,000 characters.
   */
  List<String> tell();

  /** This launcher holds a new record, of this attempt, and what was told with it. */
  void told(int attempt, List<String> texts);

  /** The furthest step of the attempt that runs, −1: none is known. The leader tells all. */
  long step(int attempt);

  /** How far the attempt is, by the word of its leader; said each second. */
  void stepped(int attempt, long step);

  /**
   * From now on this launcher decides: what was told last counts.
   *
   * @param newest the attempt that it takes over
   */
  void takeOver(Assignment newest);

  /** There were attempts of which nobody who is left knows; each counts as a restart. */
  void missed(int attempts);
}
