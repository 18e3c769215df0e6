package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Assignment;
import java.time.Duration;
import java.util.List;

/** What a launcher's part in the rendezvous wants done. */
sealed interface Effect {

  /** The same words to each of these addresses. */
  record Send(List<String> addresses, Message message) implements Effect {}

  record Start(Assignment assignment) implements Effect {}

  /** End the ranks; {@code hang}: look at them first. */
  record Stop(int attempt, Duration grace, String why, boolean hang) implements Effect {}

  /** Look at this node's ranks closely; they go on. */
  record Collect() implements Effect {}

  /**
   * The ranks may live on.
   *
   * @param until by the clock of the inputs
   */
  record Lease(long until) implements Effect {}

  record Finish(int exitCode, String why) implements Effect {}

  record Note(String kind, String text) implements Effect {}

  /**
   * Ask the arbiter.
   *
   * @param term held already, 0: none
   * @param wanted at least
   */
  record Claim(String holder, long term, long wanted) implements Effect {}

  record Release(String holder, long term) implements Effect {}

  record OpenStore(int attempt, long term, List<String> allowed) implements Effect {}

  record CloseStore(int attempt, long term) implements Effect {}
}
