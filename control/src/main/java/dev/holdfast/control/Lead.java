package dev.holdfast.control;

import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.state.ClusterState;

/**
 * A journal this process may write, and what is known of it already.
 *
 * @param applied how many batches of the journal are in the state
 */
public record Lead(Journal journal, ClusterState state, long applied) {
  public static Lead of(Journal journal) {
    return new Lead(journal, new ClusterState(), 0);
  }
}
