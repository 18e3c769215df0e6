package dev.holdfast.core.forensics.flight;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Who has come to a meeting that does not end.
 *
 * @param waiting for whom it is the first thing unfinished
 * @param behind who began it too, but waits elsewhere first
 * @param missing who has not begun it
 * @param unknown of whom nothing can be said
 * @param done for whom it has ended
 */
record Attendance(
    Meeting meeting,
    List<Standing> waiting,
    List<Standing> behind,
    List<Standing> missing,
    List<Integer> unknown,
    List<Standing> done) {

  static Attendance of(
      Meeting meeting,
      int[] participants,
      Map<Integer, Standing> standings,
      IntPredicate statusCounts) {
    Attendance all =
        new Attendance(
            meeting,
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    for (int rank : participants) {
      all.place(rank, standings.get(rank), statusCounts);
    }
    return all;
  }

  private void place(int rank, @Nullable Standing standing, IntPredicate statusCounts) {
    if (standing == null) {
      unknown.add(rank);
      return;
    }
    int entry = standing.entry(meeting);
    if (entry >= 0) {
      boolean here = !standing.vague() && standing.meeting(standing.head()).equals(meeting);
      (here ? waiting : behind).add(standing);
    } else if (!meeting.pair()
        && standing.enqueued(meeting.group(), statusCounts.test(meeting.group().id()))
            >= meeting.sequence()) {
      done.add(standing);
    } else if (standing.unclear()) {
      unknown.add(rank);
    } else {
      missing.add(standing);
    }
  }

  /** Whether all who belong to it are there, or were. */
  boolean full() {
    return missing.isEmpty() && behind.isEmpty() && unknown.isEmpty();
  }

  /** All who began it and have not ended it. */
  List<Standing> present() {
    List<Standing> all = new ArrayList<>(waiting);
    all.addAll(behind);
    return all;
  }
}
