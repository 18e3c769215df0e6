package dev.holdfast.core.forensics.flight;

import dev.holdfast.core.forensics.Ranks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Has one member alone not ended a collective to which all came and which all others have ended?
 *
 * <p>Nobody keeps it waiting then: its own device does, whether starts on devices are recorded or
 * not. That others ended it must be seen, in an entry or in the status of the group; what was
 * overwritten proves nothing. And the dump must not be older than those of the others ({@link
 * DumpAge}).
 */
final class LeftOpen {
  private static final int MOST_EVIDENCE = 8;
  private static final Set<String> ONE_WAY = Set.of("broadcast", "reduce", "gather", "scatter");

  private final Situation situation;
  private final Recordings recordings;
  private final List<Integer> ranks = new ArrayList<>();
  private final List<Integer> undated = new ArrayList<>();
  private final List<String> evidence = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private double confidence = 1;

  private LeftOpen(Situation situation, Recordings recordings) {
    this.situation = situation;
    this.recordings = recordings;
  }

  static Optional<Hypothesis> find(Situation situation, Recordings recordings) {
    LeftOpen open = new LeftOpen(situation, recordings);
    situation.attendances().stream().filter(LeftOpen::alone).forEach(open::judge);
    return open.explain();
  }

  private static boolean alone(Attendance one) {
    return !one.meeting().pair()
        && one.waiting().size() == 1
        && one.behind().isEmpty()
        && one.missing().isEmpty()
        && !one.done().isEmpty();
  }

  private void judge(Attendance one) {
    Standing suspect = one.waiting().getFirst();
    Meeting meeting = one.meeting();
    boolean status = situation.statusCounts(meeting.group().id());
    List<Integer> ended = new ArrayList<>();
    List<Integer> unseen = new ArrayList<>(one.unknown());
    long furthest = meeting.sequence();
    for (Standing other : one.done()) {
      long last = other.ended(meeting.group(), status);
      (last >= meeting.sequence() ? ended : unseen).add(other.rank());
      furthest = Math.max(furthest, last);
    }
    if (ended.isEmpty()) {
      return;
    }
    String what =
        "rank %d has not ended %s (%s)"
            .formatted(suspect.rank(), meeting.text(), situation.say(suspect, suspect.head()));
    evidence.add(what + ", " + Ranks.named(ended) + (ended.size() == 1 ? " has" : " have"));
    if (!unseen.isEmpty()) {
      doubt("whether %s ended it, too".formatted(Ranks.named(unseen)), 0);
    } else if (!suspect.whole(status)) {
      doubt(
          "what rank %d did before: it was overwritten (TORCH_NCCL_TRACE_BUFFER_SIZE)"
              .formatted(suspect.rank()),
          0);
    } else {
      age(suspect, meeting, furthest, status);
    }
    if (ONE_WAY.contains(word(suspect))) {
      doubt(
          "port counters on the way to rank %d: who sends does not wait".formatted(suspect.rank()),
          0.65);
    }
    ranks.add(suspect.rank());
  }

  private void age(Standing suspect, Meeting meeting, long furthest, boolean status) {
    DumpAge age = DumpAge.of(suspect, meeting.group(), furthest, status, recordings);
    if (age == DumpAge.LATER) {
      confidence = Math.min(confidence, 0.8);
      return;
    }
    undated.add(suspect.rank());
    double unknown = furthest > meeting.sequence() ? 0.6 : 0.7;
    confidence = Math.min(confidence, age == DumpAge.OLDER ? 0 : unknown);
  }

  private String word(Standing standing) {
    return situation
        .operation(standing.flight.entries().operation[standing.head()])
        .word()
        .replace("_", "")
        .toLowerCase(Locale.ROOT);
  }

  private void doubt(String what, double sure) {
    missing.add(what);
    confidence = Math.min(confidence, sure);
  }

  private Optional<Hypothesis> explain() {
    if (ranks.isEmpty()) {
      return Optional.empty();
    }
    if (!undated.isEmpty()) {
      missing.add(
          "a dump of %s that is not older than those of the others (keep the times of the files)"
              .formatted(Ranks.named(undated)));
    }
    boolean one = ranks.size() == 1;
    String who = Hypothesis.begin(Ranks.named(ranks));
    String seen =
        "%s came to a collective and %s not ended it, which the others have"
            .formatted(who, one ? "has" : "have");
    return Optional.of(
        confidence > 0
            ? new Hypothesis(
                ranks,
                Cause.DEVICE_HANG,
                confidence,
                seen + ": " + (one ? "its device does not go on." : "their devices do not go on."),
                evidence.stream().limit(MOST_EVIDENCE).toList(),
                missing.stream().limit(MOST_EVIDENCE).toList())
            : new Hypothesis(
                List.of(),
                Cause.UNKNOWN,
                0.4,
                seen
                    + "; whether "
                    + (one ? "its device" : "their devices")
                    + " did it cannot be told.",
                evidence.stream().limit(MOST_EVIDENCE).toList(),
                missing.stream().limit(MOST_EVIDENCE).toList()));
  }
}
