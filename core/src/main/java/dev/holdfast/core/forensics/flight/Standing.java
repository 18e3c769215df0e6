package dev.holdfast.core.forensics.flight;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Where one rank stands: what it began and what of it has not ended.
 *
 * <p>A device runs what it is given in order. So of everything unfinished only the first, the head,
 * needs an explanation from outside; what comes later may just queue behind it. An entry that is
 * not marked as ended although a later one of the same kind is was ended all the same: the recorder
 * notices ends late, and some not at all.
 */
final class Standing {
  final Flight flight;

  /** The first unfinished entry, −1: none. */
  private int head;

  /** Whether it is not known for whom it waits: in one of several transfers called as one. */
  private boolean vague;

  /** Whether the last thing it did is an end of something that is not there any more. */
  private boolean torn;

  /** The last collective of each group that has ended. */
  private final Map<Integer, Long> finished = new HashMap<>();

  /** Unfinished entries by what they are, the first of each. */
  private final Map<Meeting, Integer> pending = new HashMap<>();

  private final Map<Integer, Long> enqueued = new HashMap<>();
  private final Vocabulary vocabulary;
  private final Map<Integer, Group> groups;

  Standing(Flight flight, Vocabulary vocabulary, Map<Integer, Group> groups) {
    this.flight = flight;
    this.vocabulary = vocabulary;
    this.groups = groups;
    Entries entries = flight.entries();
    Set<Long> ended = new HashSet<>();
    int first = -1;
    int lastGroup = -1;
    int lastEnded = -1;
    for (int i = entries.size() - 1; i >= 0; i--) {
      boolean complete = entries.ended(i);
      if (entries.closing[i]) {
        torn |= !complete && !over(i);
        continue;
      }
      boolean pair = isPair(i);
      int group = entries.group[i];
      if (!pair && group != lastGroup) {
        enqueued.merge(group, entries.sequence[i], Math::max);
        lastGroup = group;
      }
      if (complete) {
        if (pair || group != lastEnded) {
          if (!pair) {
            finished.merge(group, entries.sequence[i], Math::max);
          }
          ended.add(pair ? lane(i) : (long) group);
        }
        lastEnded = pair ? lastEnded : group;
      } else if (!ended.contains(pair ? lane(i) : (long) group)) {
        pending.put(meeting(i), i);
        first = i;
      }
    }
    this.head = first;
  }

  /** Whether the rank is past the collective whose number an entry has. */
  private boolean over(int entry) {
    Flight.Status status = flight.status().get(flight.entries().group[entry]);
    return status != null && status.completed() >= flight.entries().sequence[entry];
  }

  private Group group(int id) {
    return Objects.requireNonNull(groups.get(id));
  }

  int rank() {
    return flight.rank();
  }

  int head() {
    return head;
  }

  /**
   * Of several transfers called as one it is this that has not ended; −1: it is not known which.
   */
  void waitsIn(int entry) {
    vague = entry < 0;
    head = entry < 0 ? head : entry;
  }

  boolean vague() {
    return vague;
  }

  boolean blocked() {
    return head >= 0;
  }

  /** Whether nothing can be said of what it did last. */
  boolean unclear() {
    return head < 0 && (torn || !flight.partial().isEmpty());
  }

  boolean isPair(int entry) {
    return flight.entries().pointToPoint[entry];
  }

  private long lane(int entry) {
    Operation operation = vocabulary.operation(flight.entries().operation[entry]);
    return ((long) flight.entries().group[entry] << 32)
        ^ ((long) (operation.sender() + 1) << 16)
        ^ (operation.receiver() + 1)
        ^ Long.MIN_VALUE;
  }

  Meeting meeting(int entry) {
    Entries entries = flight.entries();
    Group group = group(entries.group[entry]);
    Operation operation = vocabulary.operation(entries.operation[entry]);
    return operation.pointToPoint()
        ? new Meeting(
            group, -1, group.member(operation.sender()), group.member(operation.receiver()))
        : new Meeting(group, entries.sequence[entry], -1, -1);
  }

  /** The unfinished entry with which it takes part, −1: none. */
  int entry(Meeting meeting) {
    return pending.getOrDefault(meeting, -1);
  }

  /** The last collective of a group that it is known to have ended, −1: none is. */
  long ended(Group group, boolean statusCounts) {
    Flight.Status status = statusCounts ? flight.status().get(group.id()) : null;
    return Math.max(
        finished.getOrDefault(group.id(), -1L), status == null ? -1 : status.completed());
  }

  /** Whether nothing unfinished that came before the head can have been overwritten. */
  boolean whole(boolean statusCounts) {
    Entries entries = flight.entries();
    return head > 0
        || entries.record[0] == 0
        || ended(group(entries.group[0]), statusCounts) >= entries.sequence[0] - 1;
  }

  /** The number of the last collective it began in a group, −1: none is known. */
  long enqueued(Group group, boolean statusCounts) {
    Long listed = enqueued.get(group.id());
    Flight.Status status = statusCounts ? flight.status().get(group.id()) : null;
    return Math.max(listed == null ? -1 : listed, status == null ? -1 : status.enqueued());
  }
}
