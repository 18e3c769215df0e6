package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.control.entry.JobEntry;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.core.text.Wrap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Where deciding puts its entries: each is applied at once, so that what is decided next already
 * sees it, and kept until the journal has all of them.
 */
final class Outbox {
  private static final int MOST_FAILURE = 300;

  final ClusterState state;
  final Instant now;
  final Volume volume;
  private final List<Entry> entries = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  /** Whether there was no room for more of the source, so that it is not looked for each time. */
  boolean findingsFull;

  boolean jobsFull;
  boolean incidentsFull;

  Outbox(ClusterState state, Volume volume, Instant now) {
    this.state = state;
    this.volume = volume;
    this.now = now;
  }

  void add(Entry entry) {
    state.apply(entry, now);
    findingsFull &= !(entry instanceof FindingEntry.Cleared);
    jobsFull &= !(entry instanceof JobEntry.Told);
    entries.add(entry);
  }

  /**
   * Does one step of several that must not depend on each other. When it fails, what it added
   * before is as true as if it had ended there, and the next step follows.
   *
   * @return what went wrong, empty: nothing
   */
  String attempt(String what, Runnable step) {
    try {
      step.run();
      return "";
    } catch (RuntimeException | StackOverflowError wrong) {
      failures.add(Wrap.cut(what + ": " + wrong, MOST_FAILURE));
      return failures.getLast();
    }
  }

  /** What could not be done, a sentence each. */
  List<String> failures() {
    return failures;
  }

  List<Entry> entries() {
    return entries;
  }
}
