package dev.holdfast.core.forensics.flight;

import dev.holdfast.core.forensics.Ranks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Why do the ranks of a job not go on? Answered from what their flight recorders hold, with ranked
 * explanations.
 *
 * <p>Each rank that has something unfinished waits, first of all, in one meeting (see {@link
 * Standing}). A meeting does not end because somebody has not come, or because somebody who came
 * waits elsewhere first, or because something is wrong with the meeting itself. So waiting leads
 * from rank to rank and ends at a cause:
 *
 * <ol>
 *   <li>a meeting in which ranks called different things ({@link Mismatches});
 *   <li>a rank that alone has not ended what all others have: its device ({@link LeftOpen});
 *   <li>a rank that has not come and waits for nobody: it hangs in its own code;
 *   <li>a device that has not begun what it was given, or a meeting to which all came and which all
 *       began: the network ({@link Stalls});
 *   <li>a circle: ranks that wait for each other ({@link Circles});
 *   <li>a rank of which there is no dump, if nothing above explains the wait.
 * </ol>
 *
 * Who comes last again and again is told too ({@link Stragglers}). Where what is there does not
 * decide, the answer is unknown and says what is missing.
 */
public final class FlightAnalysis {
  private static final int MOST_EVIDENCE = 8;

  private final Recordings recordings;
  private final Situation situation;
  private final List<Hypothesis> found = new ArrayList<>();

  private FlightAnalysis(Recordings recordings) {
    this.recordings = recordings;
    this.situation = new Situation(recordings);
  }

  /** Explanations, the best first; never empty. */
  public static List<Hypothesis> of(Recordings recordings) {
    return new FlightAnalysis(recordings).explain();
  }

  private List<Hypothesis> explain() {
    mismatches();
    if (!recordings.moving()) {
      standing();
    }
    boolean certain = found.stream().anyMatch(one -> !one.culprits().isEmpty());
    Stragglers.find(situation)
        .ifPresent(slow -> found.add(certain ? found.size() : 0, sameOrLess(slow, certain)));
    if (found.isEmpty()) {
      found.add(nothing());
    }
    found.sort(Comparator.comparingDouble(Hypothesis::confidence).reversed());
    return List.copyOf(found);
  }

  private void standing() {
    Optional<Hypothesis> open =
        found.isEmpty() ? LeftOpen.find(situation, recordings) : Optional.empty();
    open.filter(one -> !one.culprits().isEmpty()).ifPresent(found::add);
    hangs();
    if (found.isEmpty()) {
      open.ifPresent(found::add);
    }
    if (found.isEmpty()) {
      stalls();
    }
    if (found.isEmpty()) {
      Circles.find(situation.attendances()).ifPresent(found::add);
    }
    if (found.isEmpty()) {
      absences();
    }
    if (found.isEmpty()) {
      vague();
    }
  }

  private static Hypothesis sameOrLess(Hypothesis slow, boolean certain) {
    return certain
        ? new Hypothesis(
            slow.culprits(), slow.cause(), 0.3, slow.what(), slow.evidence(), slow.missing())
        : slow;
  }

  private void mismatches() {
    Mismatches mismatches = new Mismatches(situation);
    List<Hypothesis> all = new ArrayList<>();
    situation.attendances().forEach(one -> mismatches.find(one).ifPresent(all::add));
    all.sort(Comparator.comparingDouble(Hypothesis::confidence).reversed());
    found.addAll(all.stream().limit(MOST_EVIDENCE).toList());
  }

  private void hangs() {
    Map<Integer, List<Attendance>> waitedFor = new TreeMap<>();
    for (Attendance attendance : situation.attendances()) {
      for (Standing standing : attendance.missing()) {
        if (!standing.blocked()) {
          waitedFor.computeIfAbsent(standing.rank(), _ -> new ArrayList<>()).add(attendance);
        }
      }
    }
    if (waitedFor.isEmpty()) {
      return;
    }
    List<String> evidence = new ArrayList<>();
    waitedFor.forEach((rank, where) -> evidence.add(waited(rank, where)));
    Set<Integer> ranks = waitedFor.keySet();
    found.add(
        new Hypothesis(
            List.copyOf(ranks),
            Cause.HANG,
            found.isEmpty() ? 0.9 : 0.6,
            "%s did not come to a collective the others wait in, and %s in none: %s in %s own code."
                .formatted(
                    Hypothesis.begin(Ranks.named(ranks)),
                    ranks.size() == 1 ? "waits" : "wait",
                    ranks.size() == 1 ? "it is" : "they are",
                    ranks.size() == 1 ? "its" : "their"),
            evidence.stream().limit(MOST_EVIDENCE).toList(),
            List.of()));
  }

  private static String waited(int rank, List<Attendance> where) {
    Attendance first =
        where.stream()
            .max(
                Comparator.comparing((Attendance one) -> !one.meeting().pair())
                    .thenComparing(one -> one.waiting().size()))
            .orElseThrow();
    return "rank %d is missing from %s, where %s%s"
        .formatted(
            rank,
            first.meeting().text(),
            Ranks.named(first.waiting().stream().map(Standing::rank).toList())
                + (first.waiting().size() == 1 ? " waits" : " wait"),
            where.size() == 1 ? "" : ", and from " + (where.size() - 1) + " more");
  }

  private void stalls() {
    Stalls stalls = new Stalls(situation);
    stalls.idleDevices().or(stalls::stuck).ifPresent(found::add);
  }

  private void absences() {
    Set<Integer> unknown = new TreeSet<>();
    List<String> evidence = new ArrayList<>();
    for (Attendance attendance : situation.attendances()) {
      if (!attendance.unknown().isEmpty()) {
        unknown.addAll(attendance.unknown());
        evidence.add(
            "%s waited for in %s"
                .formatted(
                    Hypothesis.begin(Ranks.named(attendance.unknown())),
                    attendance.meeting().text()));
      }
    }
    if (unknown.isEmpty()) {
      return;
    }
    unknown.forEach(rank -> evidence.add("rank " + rank + ": " + why(rank)));
    boolean one = unknown.size() == 1;
    found.add(
        new Hypothesis(
            one ? List.copyOf(unknown) : List.of(),
            one ? Cause.CRASH : Cause.UNKNOWN,
            one ? 0.8 : 0.4,
            one
                ? "%s left no dump, and all waiting leads to it."
                    .formatted(Hypothesis.begin(Ranks.named(unknown)))
                : "All waiting leads to ranks that left no dump (%s); which of them began it cannot be told."
                    .formatted(Ranks.named(unknown).substring(6)),
            evidence.stream().limit(MOST_EVIDENCE).toList(),
            List.of("the dumps or exit codes of " + Ranks.named(unknown))));
  }

  private void vague() {
    List<Integer> ranks =
        situation.standings().values().stream()
            .filter(Standing::vague)
            .map(Standing::rank)
            .toList();
    if (!ranks.isEmpty()) {
      found.add(
          new Hypothesis(
              List.of(),
              Cause.UNKNOWN,
              0.3,
              "%s %s in several transfers called as one; for whom cannot be told."
                  .formatted(
                      Hypothesis.begin(Ranks.named(ranks)), ranks.size() == 1 ? "waits" : "wait"),
              List.of(),
              List.of("dumps with all calls since the start, or the stacks (holdfast stacks)")));
    }
  }

  private String why(int rank) {
    Standing standing = situation.standings().get(rank);
    return standing != null
        ? standing.flight.partial()
        : recordings.unreadable().getOrDefault(rank, "no dump");
  }

  private Hypothesis nothing() {
    boolean empty = recordings.entries() == 0;
    return new Hypothesis(
        List.of(),
        Cause.UNKNOWN,
        0.2,
        empty
            ? "The dumps have no entries."
            : recordings.moving()
                ? "The job was moving when the dumps were written, and no rank comes last again and again."
                : "No rank waits for another one, and none comes last again and again.",
        List.of(),
        empty
            ? List.of("entries: start the job with TORCH_NCCL_TRACE_BUFFER_SIZE=2000")
            : List.of("dumps from the moment the job stands still"));
  }
}
