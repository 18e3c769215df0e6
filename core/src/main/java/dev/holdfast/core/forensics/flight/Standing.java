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
  final int head;

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
      boolean pair = isPair(i);
      int group = entries.group[i];
      boolean complete = entries.state[i] == Entries.COMPLETED || entries.completed[i] > 0;
      if (!pair && group != lastGroup) {
        enqueued.merge(group, entries.sequence[i], Math::max);
        lastGroup = group;
      }
      if (complete) {
        if (pair || group != lastEnded) {
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

  private Group group(int id) {
    return Objects.requireNonNull(groups.get(id));
  }

  int rank() {
    return flight.rank();
  }

  boolean blocked() {
    return head >= 0;
  }

  /** Whether nothing can be said of what it did last. */
  boolean unclear() {
    return head < 0 && !flight.partial().isEmpty();
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

  /** The number of the last collective it began in a group, −1: none is known. */
  long enqueued(Group group, boolean statusCounts) {
    Long listed = enqueued.get(group.id());
    Flight.Status status = statusCounts ? flight.status().get(group.id()) : null;
    return Math.max(listed == null ? -1 : listed, status == null ? -1 : status.enqueued());
  }
}
