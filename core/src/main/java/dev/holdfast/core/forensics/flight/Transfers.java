package dev.holdfast.core.forensics.flight;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Transfers called as one end together. Which of them has not?
 *
 * <p>The one of which the other side has ended fewer than were called here. That can be counted
 * only where both dumps hold everything since the start; else it is not known for whom the rank
 * waits.
 */
final class Transfers {
  private final Standing own;
  private final Map<Integer, Standing> standings;

  private Transfers(Standing own, Map<Integer, Standing> standings) {
    this.own = own;
    this.standings = standings;
  }

  /** Settles in which transfer a rank waits whose first unfinished call is a batch of them. */
  static void choose(Standing standing, Map<Integer, Standing> standings) {
    if (standing.blocked() && standing.flight.entries().batched[standing.head()]) {
      standing.waitsIn(new Transfers(standing, standings).choose());
    }
  }

  private int choose() {
    Entries entries = own.flight.entries();
    int first = own.head();
    int last = first;
    while (!entries.closing[last + 1]) {
      last++;
    }
    if (first == last) {
      return first;
    }
    int open = -1;
    for (int part = last; part >= first; part--) {
      Meeting meeting = own.meeting(part);
      int peer = meeting.sender() == own.rank() ? meeting.receiver() : meeting.sender();
      Standing other = standings.get(peer);
      if (!countable(own) || !countable(other)) {
        return -1;
      }
      long calls = calls(own, meeting, part, false);
      if (other == null || calls(other, meeting, Integer.MAX_VALUE, false) < calls) {
        return part;
      }
      open = calls(other, meeting, Integer.MAX_VALUE, true) < calls ? part : open;
    }
    return open;
  }

  /** A rank without a dump counts: it is waited for, as far as can be known. */
  private static boolean countable(@Nullable Standing standing) {
    if (standing == null) {
      return true;
    }
    Entries entries = standing.flight.entries();
    int last = entries.size() - 1;
    return last < 0 || entries.record[0] == 0 && entries.record[last] == last;
  }

  private static long calls(Standing standing, Meeting meeting, int until, boolean ended) {
    Entries entries = standing.flight.entries();
    long count = 0;
    for (int i = 0; i < entries.size() && i <= until; i++) {
      if (entries.pointToPoint[i]
          && !entries.closing[i]
          && (!ended || entries.ended(i))
          && standing.meeting(i).equals(meeting)) {
        count++;
      }
    }
    return count;
  }
}
