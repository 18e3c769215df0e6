package dev.holdfast.core.forensics.flight;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** All ranks as they stand, and every meeting some of them wait in. */
final class Situation {
  private final Vocabulary vocabulary;
  private final List<Group> groups;
  private final TreeMap<Integer, Standing> standings = new TreeMap<>();
  private final Map<Meeting, Attendance> attendances = new LinkedHashMap<>();
  private final Set<Integer> withPairs;

  Situation(Recordings recordings) {
    this.vocabulary = recordings.vocabulary();
    this.groups = vocabulary.groups();
    Map<Integer, Group> byId = new HashMap<>();
    groups.forEach(group -> byId.put(group.id(), group));
    recordings
        .flights()
        .values()
        .forEach(flight -> standings.put(flight.rank(), new Standing(flight, vocabulary, byId)));
    standings.values().forEach(standing -> Transfers.choose(standing, standings));
    withPairs = withPairs();
    Map<Group, int[]> participants = new HashMap<>();
    for (Standing standing : standings.values()) {
      if (standing.blocked() && !standing.vague()) {
        Meeting meeting = standing.meeting(standing.head());
        attendances.computeIfAbsent(
            meeting,
            it ->
                Attendance.of(
                    it,
                    it.pair()
                        ? new int[] {it.sender(), it.receiver()}
                        : participants.computeIfAbsent(it.group(), this::members),
                    standings,
                    this::statusCounts));
      }
    }
  }

  /** Groups in which ranks also call each other in pairs: their status counts both alike. */
  private Set<Integer> withPairs() {
    Set<Integer> found = new HashSet<>();
    for (Standing standing : standings.values()) {
      Entries entries = standing.flight.entries();
      for (int i = 0; i < entries.size(); i++) {
        if (entries.pointToPoint[i] && !entries.closing[i]) {
          found.add(entries.group[i]);
        }
      }
    }
    return found;
  }

  /** Where a dump does not say who belongs to a group, whoever used it does. */
  private int[] members(Group group) {
    if (group.members().length > 0) {
      return group.members();
    }
    TreeSet<Integer> seen = new TreeSet<>();
    standings
        .values()
        .forEach(
            standing -> {
              if (standing.enqueued(group, true) >= 0) {
                seen.add(standing.rank());
              }
            });
    return seen.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Whether the status of a group tells of its collectives alone. */
  boolean statusCounts(int group) {
    return !withPairs.contains(group);
  }

  Map<Integer, Standing> standings() {
    return standings;
  }

  Collection<Attendance> attendances() {
    return attendances.values();
  }

  List<Group> groups() {
    return groups;
  }

  Operation operation(int number) {
    return vocabulary.operation(number);
  }

  /** What an entry is, for people: {@code all_reduce of 1024x8 BFloat16, scheduled}. */
  String say(Standing standing, int entry) {
    Entries entries = standing.flight.entries();
    StringBuilder text = new StringBuilder(operation(entries.operation[entry]).word());
    if (entries.sizes[entry] >= 0
        && vocabulary.word(entries.sizes[entry]) instanceof List<?> many) {
      List<String> sizes = new ArrayList<>();
      many.stream().limit(3).forEach(one -> sizes.add(size(one)));
      text.append(" of ").append(String.join(" and ", sizes)).append(many.size() > 3 ? " …" : "");
    }
    if (entries.types[entry] >= 0
        && vocabulary.word(entries.types[entry]) instanceof List<?> types
        && !types.isEmpty()) {
      text.append(' ').append(types.getFirst());
    }
    return text.append(entries.state[entry] == Entries.STARTED ? ", started" : ", not started")
        .toString();
  }

  private static String size(Object dimensions) {
    if (!(dimensions instanceof List<?> list)) {
      return String.valueOf(dimensions);
    }
    List<String> words = new ArrayList<>();
    list.forEach(one -> words.add(String.valueOf(one)));
    return words.isEmpty() ? "1" : String.join("x", words);
  }
}
