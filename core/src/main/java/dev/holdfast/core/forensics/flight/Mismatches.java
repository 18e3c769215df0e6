package dev.holdfast.core.forensics.flight;

import dev.holdfast.core.forensics.Ranks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Did ranks call different things under the same number?
 *
 * <p>Whoever differs from most of its group is to blame. Where a group has no majority, groups of
 * the same role that did the same before say what should have been called now; between two ranks of
 * a transfer, what each of them transferred before. Without either, one of them is wrong and it is
 * not told which.
 */
final class Mismatches {
  private static final int LOOK_BACK = 3;

  private final Situation situation;

  Mismatches(Situation situation) {
    this.situation = situation;
  }

  /** What a rank called; null parts are not compared. */
  private record Call(Object operation, @Nullable Object elements, @Nullable Object types) {}

  Optional<Hypothesis> find(Attendance attendance) {
    Map<Call, List<Standing>> calls = new LinkedHashMap<>();
    for (Standing standing : attendance.present()) {
      calls
          .computeIfAbsent(
              call(standing, standing.entry(attendance.meeting())), _ -> new ArrayList<>())
          .add(standing);
    }
    if (calls.size() < 2) {
      return Optional.empty();
    }
    List<String> evidence = new ArrayList<>();
    calls.forEach(
        (_, who) -> {
          Standing one = who.getFirst();
          evidence.add(
              Hypothesis.begin(Ranks.named(ranks(who)))
                  + ": "
                  + situation.say(one, one.entry(attendance.meeting())));
        });
    Optional<Call> right = right(attendance, calls);
    String where = attendance.meeting().text();
    if (right.isEmpty()) {
      return Optional.of(
          new Hypothesis(
              List.of(),
              Cause.MISMATCH,
              0.5,
              "In %s ranks called different things; which of them is wrong cannot be told."
                  .formatted(where),
              evidence,
              List.of("a group of the same role to compare with, or entries from before")));
    }
    List<Integer> wrong = new ArrayList<>();
    calls.forEach(
        (call, who) -> {
          if (!call.equals(right.get())) {
            wrong.addAll(ranks(who));
          }
        });
    return Optional.of(
        new Hypothesis(
            wrong,
            Cause.MISMATCH,
            0.9,
            "%s called something else than the others in %s."
                .formatted(Hypothesis.begin(Ranks.named(wrong)), where),
            evidence,
            List.of()));
  }

  private static List<Integer> ranks(List<Standing> standings) {
    return standings.stream().map(Standing::rank).toList();
  }

  private Call call(Standing standing, int entry) {
    Entries entries = standing.flight.entries();
    Operation operation = situation.operation(entries.operation[entry]);
    if (operation.pointToPoint()) {
      return new Call("transfer", entries.elements[entry], entries.types[entry]);
    }
    boolean sized = operation.even() && entries.elements[entry] >= 0;
    boolean typed = sized && entries.types[entry] >= 0;
    return new Call(
        operation.word(),
        sized ? entries.elements[entry] : null,
        typed ? entries.types[entry] : null);
  }

  private Optional<Call> right(Attendance attendance, Map<Call, List<Standing>> calls) {
    int all = attendance.present().size();
    for (Map.Entry<Call, List<Standing>> entry : calls.entrySet()) {
      if (2 * entry.getValue().size() > all) {
        return Optional.of(entry.getKey());
      }
    }
    return attendance.meeting().pair()
        ? asBefore(attendance, calls)
        : asSiblings(attendance, calls);
  }

  /** Of two that transfer, the one that does as it always did. */
  private Optional<Call> asBefore(Attendance attendance, Map<Call, List<Standing>> calls) {
    List<Call> usual = new ArrayList<>();
    for (Map.Entry<Call, List<Standing>> entry : calls.entrySet()) {
      Standing standing = entry.getValue().getFirst();
      int now = standing.entry(attendance.meeting());
      Entries entries = standing.flight.entries();
      for (int i = now - 1; i >= 0; i--) {
        if (entries.operation[i] == entries.operation[now]
            && entries.group[i] == entries.group[now]) {
          if (call(standing, i).equals(entry.getKey())) {
            usual.add(entry.getKey());
          }
          break;
        }
      }
    }
    return usual.size() == 1 ? Optional.of(usual.getFirst()) : Optional.empty();
  }

  /** What groups of the same role called under this number, if they did the same before it. */
  private Optional<Call> asSiblings(Attendance attendance, Map<Call, List<Standing>> calls) {
    Group group = attendance.meeting().group();
    long number = attendance.meeting().sequence();
    Standing own = attendance.present().getFirst();
    List<Call> before = before(own, group, number);
    Map<Call, Integer> votes = new HashMap<>();
    for (Group other : situation.groups()) {
      if (!other.equals(group)
          && other.role().equals(group.role())
          && other.members().length == group.members().length) {
        for (int member : other.members()) {
          Standing standing = situation.standings().get(member);
          int entry = standing == null ? -1 : find(standing, other, number);
          if (standing != null && entry >= 0 && before(standing, other, number).equals(before)) {
            Call call = call(standing, entry);
            if (calls.containsKey(call)) {
              votes.merge(call, 1, Integer::sum);
            }
          }
        }
      }
    }
    return votes.size() == 1 ? votes.keySet().stream().findFirst() : Optional.empty();
  }

  private List<Call> before(Standing standing, Group group, long number) {
    List<Call> calls = new ArrayList<>();
    for (long earlier = number - LOOK_BACK; earlier < number; earlier++) {
      int entry = find(standing, group, earlier);
      if (entry >= 0) {
        calls.add(call(standing, entry));
      }
    }
    return calls;
  }

  private static int find(Standing standing, Group group, long number) {
    Entries entries = standing.flight.entries();
    for (int i = entries.size() - 1; i >= 0; i--) {
      if (entries.group[i] == group.id()
          && !entries.pointToPoint[i]
          && entries.sequence[i] <= number) {
        return entries.sequence[i] == number ? i : -1;
      }
    }
    return -1;
  }
}
