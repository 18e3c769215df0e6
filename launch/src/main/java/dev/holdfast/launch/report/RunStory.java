package dev.holdfast.launch.report;

import static dev.holdfast.launch.report.AttemptTimes.UNKNOWN;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.launch.report.AttemptTimes.Exit;
import dev.holdfast.launch.report.AttemptTimes.Sample;
import dev.holdfast.launch.report.AttemptTimes.Stretch;
import dev.holdfast.launch.report.RunReport.Attempt;
import dev.holdfast.launch.report.RunReport.Bar;
import dev.holdfast.launch.report.RunReport.Mark;
import dev.holdfast.launch.report.RunReport.Segment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Turns moments into a report. Each attempt owns the time from the end of the one before to its own
 * end; within that window every instant gets one name (see {@link #name}), so that the parts can
 * never add up to more than the whole, whatever is missing.
 */
final class RunStory {
  private static final int MOST_MARKS = 500;

  private final List<Axis.At> axis;
  private final Map<Integer, AttemptTimes> attempts = new TreeMap<>();
  private final List<Mark> marks = new ArrayList<>();
  private final List<Segment> segments = new ArrayList<>();
  private final List<Attempt> stories = new ArrayList<>();
  private final List<Bar> bars = new ArrayList<>();
  private final long end;
  private final boolean stepsTold;
  private String job = "";
  private List<String> command = List.of();
  private boolean ended;
  private int exitCode = -1;
  private String why = "";
  private long best = -1;

  RunStory(List<Moment> moments) {
    axis = Axis.of(moments);
    axis.forEach(this::take);
    end = axis.isEmpty() ? 0 : axis.getLast().nanos();
    stepsTold = attempts.values().stream().anyMatch(attempt -> !attempt.samples.isEmpty());
  }

  RunReport report() {
    long begin = 0;
    List<AttemptTimes> all = List.copyOf(attempts.values());
    for (int i = 0; i < all.size(); i++) {
      AttemptTimes attempt = all.get(i);
      boolean lastOne = i + 1 == all.size();
      long until = lastOne ? over(attempt) : Math.min(over(attempt), all.get(i + 1).first);
      until = Math.clamp(until, begin, end);
      tell(attempt, begin, until, lastOne ? UNKNOWN : all.get(i + 1).number);
      begin = until;
    }
    Spent rest = all.isEmpty() ? Spent.WAITING : Spent.ENDING;
    add(all.isEmpty() ? -1 : all.getLast().number, rest, begin, end);
    @Nullable Instant begun = axis.isEmpty() ? null : axis.getFirst().moment().at();
    return new RunReport(
        job, command, begun, ended, exitCode, why, of(end), best, stories, segments, bars, marks);
  }

  /** When the attempt is over; a run that just goes on ends with its last moment. */
  private long over(AttemptTimes attempt) {
    boolean closed = attempt.ended != UNKNOWN || attempt.stopped != UNKNOWN;
    return closed || ended ? attempt.last : end;
  }

  private void take(Axis.At at) {
    Moment moment = at.moment();
    switch (moment.kind()) {
      case Kinds.JOB_BEGUN -> {
        job = moment.text("job");
        if (moment.details().get("command") instanceof List<?> words) {
          command = words.stream().limit(1000).map(String::valueOf).toList();
        }
      }
      case Kinds.JOB_ENDED -> {
        ended = true;
        exitCode = (int) Math.clamp(moment.number("exitCode", -1), -1, 255);
        why = moment.text("why");
      }
      case Kinds.CLOCK_JUMP -> mark(at, "the wall clock moved by " + seconds(moment));
      case Kinds.WATCHER_RESTARTED -> mark(at, "the watcher had ended and was started again");
      case Kinds.TROUBLE, Kinds.FINDING, Kinds.ACTION, Kinds.STANDBY_LOST ->
          mark(at, moment.text("what"));
      default -> {}
    }
    if (moment.attempt() >= 0) {
      attempts.computeIfAbsent(moment.attempt(), AttemptTimes::new).take(at.nanos(), moment);
    }
  }

  private void mark(Axis.At at, String text) {
    if (marks.size() < MOST_MARKS && !text.isEmpty()) {
      marks.add(new Mark(of(at.nanos()), at.moment().kind(), text));
    }
  }

  private static String seconds(Moment moment) {
    return switch (moment.details().get("seconds")) {
      case Number number -> number + " s";
      case null, default -> "an unknown time";
    };
  }

  private void tell(AttemptTimes attempt, long begin, long until, long next) {
    long fault = attempt.fault();
    long repeatedUntil = repeatedUntil(attempt);
    TreeMap<Long, Long> phases = phases(attempt, fault == UNKNOWN ? until : fault);
    TreeSet<Long> cuts = new TreeSet<>(List.of(begin, until));
    for (long cut :
        new long[] {
          attempt.prepared,
          attempt.started,
          attempt.firstStep(),
          repeatedUntil,
          fault,
          attempt.diagnosed,
          attempt.decided,
          attempt.stopBegun,
          attempt.stopped
        }) {
      cuts.add(cut);
    }
    cuts.addAll(phases.keySet());
    cuts.addAll(phases.values());
    List<Long> edges = List.copyOf(cuts.subSet(begin, true, until, true));
    for (int i = 0; i + 1 < edges.size(); i++) {
      long from = edges.get(i);
      Spent spent = name(attempt, from, fault, repeatedUntil, phases);
      boolean between = spent == Spent.ENDING && next != UNKNOWN;
      add(
          between ? (int) next : attempt.number,
          between ? Spent.WAITING : spent,
          from,
          edges.get(i + 1));
    }
    bars(attempt, until);
    story(attempt, fault, until);
  }

  private Spent name(
      AttemptTimes attempt, long at, long fault, long repeatedUntil, TreeMap<Long, Long> phases) {
    if (at < firstKnown(attempt.prepared, attempt.first)) {
      return Spent.WAITING;
    }
    if (attempt.stopBegun != UNKNOWN
        && at >= attempt.stopBegun
        && (attempt.stopped == UNKNOWN || at < attempt.stopped)) {
      return Spent.STOPPING;
    }
    if (fault != UNKNOWN && at >= fault) {
      return afterFault(attempt, at);
    }
    if (attempt.stopped != UNKNOWN && at >= attempt.stopped) {
      return Spent.ENDING;
    }
    if (attempt.started == UNKNOWN ? attempt.samples.isEmpty() : at < attempt.started) {
      return Spent.STARTING;
    }
    if (!stepsTold) {
      return Spent.RUNNING;
    }
    if (attempt.samples.isEmpty() || at < attempt.firstStep()) {
      return Spent.PREPARING;
    }
    Map.Entry<Long, Long> phase = phases.floorEntry(at);
    if (phase != null && at < phase.getValue()) {
      return Spent.PAUSING;
    }
    return at < repeatedUntil ? Spent.REPEATING : Spent.TRAINING;
  }

  private static Spent afterFault(AttemptTimes attempt, long at) {
    if (attempt.diagnosed == UNKNOWN || at < attempt.diagnosed) {
      boolean gone = attempt.stopped != UNKNOWN && at >= attempt.stopped;
      return attempt.diagnosed == UNKNOWN && gone ? Spent.ENDING : Spent.DETECTING;
    }
    if (attempt.decided != UNKNOWN && at < attempt.decided) {
      return Spent.DECIDING;
    }
    return attempt.stopped == UNKNOWN || at < attempt.stopped ? Spent.STOPPING : Spent.ENDING;
  }

  private static long firstKnown(long time, long otherwise) {
    return time == UNKNOWN ? otherwise : time;
  }

  /**
   * When the attempt had caught up with the best one before it; its first step if it never fell
   * back.
   */
  private long repeatedUntil(AttemptTimes attempt) {
    List<Sample> samples = attempt.samples;
    if (best < 0 || samples.isEmpty() || samples.getFirst().step() > best) {
      return UNKNOWN;
    }
    for (int i = 1; i < samples.size(); i++) {
      Sample before = samples.get(i - 1);
      Sample after = samples.get(i);
      if (after.step() > best) {
        double share = (double) (best - before.step()) / (after.step() - before.step());
        return before.at() + (long) (share * (after.at() - before.at()));
      }
    }
    return Long.MAX_VALUE;
  }

  /** Where phases of any rank overlap they count once. */
  private static TreeMap<Long, Long> phases(AttemptTimes attempt, long until) {
    List<Stretch> sorted = new ArrayList<>(attempt.phases);
    attempt.openPhases.values().forEach(from -> sorted.add(new Stretch(from, until)));
    sorted.sort(Comparator.comparingLong(Stretch::from));
    TreeMap<Long, Long> merged = new TreeMap<>();
    for (Stretch phase : sorted) {
      Map.Entry<Long, Long> last = merged.lastEntry();
      if (last != null && phase.from() <= last.getValue()) {
        merged.put(last.getKey(), Math.max(last.getValue(), phase.to()));
      } else if (phase.to() > phase.from()) {
        merged.put(phase.from(), phase.to());
      }
    }
    return merged;
  }

  private void bars(AttemptTimes attempt, long until) {
    TreeSet<Integer> ranks = new TreeSet<>(attempt.rankStarts.keySet());
    ranks.addAll(attempt.rankExits.keySet());
    ranks.addAll(attempt.nodeOfRank.keySet());
    long from = firstKnown(attempt.started, firstKnown(attempt.prepared, attempt.first));
    for (int rank : ranks) {
      Exit exit = attempt.rankExits.get(rank);
      long start = attempt.rankStarts.getOrDefault(rank, from);
      long stop = exit == null ? firstKnown(attempt.stopped, until) : exit.at();
      if (rank >= 0) {
        bars.add(
            new Bar(
                attempt.number,
                rank,
                attempt.nodeOfRank.getOrDefault(rank, ""),
                of(Math.min(start, stop)),
                of(stop),
                exit == null ? "" : exit.how()));
      }
    }
  }

  private void story(AttemptTimes attempt, long fault, long until) {
    long from = attempt.samples.isEmpty() ? -1 : attempt.samples.getFirst().step();
    long to = attempt.samples.isEmpty() ? -1 : attempt.samples.getLast().step();
    long repeated = from < 0 || best < 0 ? 0 : Math.max(0, Math.min(best, to) - from + 1);
    best = Math.max(best, to);
    @Nullable Diagnosis diagnosis = attempt.diagnosis;
    @Nullable Decision decision = attempt.decision;
    stories.add(
        new Attempt(
            attempt.number,
            attempt.world,
            attempt.nodes,
            known(attempt.prepared),
            known(attempt.started),
            known(attempt.firstStep()),
            known(fault),
            attempt.ended == UNKNOWN && attempt.stopped == UNKNOWN ? null : of(until),
            from,
            to,
            repeated,
            attempt.warmRanks,
            attempt.outcome,
            diagnosis,
            decision));
  }

  private void add(int attempt, Spent spent, long from, long to) {
    if (to <= from) {
      return;
    }
    Segment last = segments.isEmpty() ? null : segments.getLast();
    if (last != null && last.attempt() == attempt && last.spent() == spent) {
      segments.set(segments.size() - 1, new Segment(attempt, spent, last.from(), of(to)));
    } else {
      segments.add(new Segment(attempt, spent, of(from), of(to)));
    }
  }

  private static @Nullable Duration known(long nanos) {
    return nanos == UNKNOWN ? null : of(nanos);
  }

  private static Duration of(long nanos) {
    return Duration.ofNanos(nanos);
  }
}
