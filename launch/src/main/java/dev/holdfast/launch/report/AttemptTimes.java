package dev.holdfast.launch.report;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The moments of one attempt, sorted by what they mean. Times are on the {@link Axis}; −1: not
 * known.
 */
final class AttemptTimes {
  static final long UNKNOWN = -1;

  final int number;
  int world = -1;
  final List<String> nodes = new ArrayList<>();
  final Map<Integer, String> nodeOfRank = new HashMap<>();
  long first = UNKNOWN;
  long last = UNKNOWN;
  long prepared = UNKNOWN;
  long started = UNKNOWN;
  long diagnosed = UNKNOWN;
  long faultTold = UNKNOWN;
  long failedExit = UNKNOWN;
  long decided = UNKNOWN;
  long stopBegun = UNKNOWN;
  long stopped = UNKNOWN;
  long ended = UNKNOWN;
  String outcome = "";
  @Nullable Diagnosis diagnosis;
  @Nullable Decision decision;
  final List<Sample> samples = new ArrayList<>();
  final List<Stretch> phases = new ArrayList<>();
  final Map<String, Long> openPhases = new HashMap<>();
  final Map<Integer, Long> rankStarts = new HashMap<>();
  int warmRanks;
  final Map<Integer, Exit> rankExits = new HashMap<>();

  record Sample(long at, long step) {}

  record Stretch(long from, long to) {}

  record Exit(long at, String how) {}

  AttemptTimes(int number) {
    this.number = number;
  }

  void take(long at, Moment moment) {
    first = first == UNKNOWN ? at : first;
    last = Math.max(last, at);
    switch (moment.kind()) {
      case Kinds.ATTEMPT_PREPARED -> prepare(at, moment);
      case Kinds.RANK_STARTED -> rankStarted(at, moment);
      case Kinds.RANKS_STARTED -> started = started == UNKNOWN ? at : started;
      case Kinds.FIRST_STEP, Kinds.STEP -> step(at, moment.number("step", -1));
      case Kinds.PHASE_BEGUN -> openPhases.putIfAbsent(phase(moment), at);
      case Kinds.PHASE_ENDED -> endPhase(openPhases.remove(phase(moment)), at);
      case Kinds.RANK_EXITED -> rankExited(at, moment);
      case Kinds.DIAGNOSIS -> diagnose(at, moment);
      case Kinds.DECISION -> decide(at, moment);
      case Kinds.STOP_BEGUN -> stopBegun = stopBegun == UNKNOWN ? at : stopBegun;
      case Kinds.STOPPED -> stopped = at;
      case Kinds.ATTEMPT_ENDED -> {
        ended = at;
        outcome = moment.text("outcome");
      }
      default -> {}
    }
  }

  /** When it went wrong: told, or a rank that failed by itself, or the last step before silence. */
  long fault() {
    if (faultTold != UNKNOWN) {
      return faultTold;
    }
    boolean silent =
        diagnosis != null
            && (diagnosis.kind() == FailureClass.HANG
                || diagnosis.kind() == FailureClass.SLOWDOWN
                || diagnosis.kind() == FailureClass.LOST_NODE);
    if (failedExit != UNKNOWN && (diagnosed == UNKNOWN || failedExit <= diagnosed) && !silent) {
      return failedExit;
    }
    if (diagnosed == UNKNOWN) {
      return UNKNOWN;
    }
    long lastSign = UNKNOWN;
    for (Sample sample : samples) {
      lastSign = sample.at <= diagnosed ? sample.at : lastSign;
    }
    return silent && lastSign != UNKNOWN ? lastSign : diagnosed;
  }

  long firstStep() {
    return samples.isEmpty() ? UNKNOWN : samples.getFirst().at;
  }

  private void prepare(long at, Moment moment) {
    prepared = at;
    world = (int) Math.clamp(moment.number("world", -1), -1, Integer.MAX_VALUE);
    if (moment.details().get("members") instanceof List<?> members) {
      members.stream().limit(100_000).forEach(this::member);
    }
  }

  private void member(@Nullable Object member) {
    if (member instanceof Map<?, ?> map && map.get("node") instanceof String node) {
      nodes.add(node);
      if (map.get("firstRank") instanceof Long firstRank
          && map.get("processes") instanceof Long processes
          && firstRank >= 0
          && firstRank < 10_000_000) {
        for (int i = 0; i < Math.min(processes, 1024); i++) {
          nodeOfRank.put((int) (firstRank + i), node);
        }
      }
    }
  }

  private void rankStarted(long at, Moment moment) {
    int rank = (int) moment.number("rank", -1);
    if (rankStarts.putIfAbsent(rank, at) == null && moment.flag("warm")) {
      warmRanks++;
    }
    if (!moment.text("node").isEmpty()) {
      nodeOfRank.put(rank, moment.text("node"));
    }
  }

  private void step(long at, long step) {
    if (step >= 0 && (samples.isEmpty() || step > samples.getLast().step)) {
      samples.add(new Sample(at, step));
    }
  }

  private void endPhase(@Nullable Long begun, long at) {
    if (begun != null) {
      phases.add(new Stretch(begun, at));
    }
  }

  private static String phase(Moment moment) {
    return moment.text("phase") + " " + moment.number("rank", -1);
  }

  private void rankExited(long at, Moment moment) {
    long code = moment.number("exitCode", -1);
    long signal = moment.number("signal", 0);
    boolean ours = moment.flag("stoppedByUs");
    boolean bad = !ours && (code > 0 || signal > 0);
    if (bad && failedExit == UNKNOWN) {
      failedExit = at;
    }
    String how = !bad ? "" : signal > 0 ? "signal " + signal : "exit " + code;
    rankExits.put((int) moment.number("rank", -1), new Exit(at, how));
  }

  private void diagnose(long at, Moment moment) {
    if (diagnosed != UNKNOWN) {
      return;
    }
    diagnosed = at;
    long before = moment.number("faultNanos", Long.MIN_VALUE);
    if (before != Long.MIN_VALUE && before <= moment.monotonicNanos()) {
      faultTold = Math.max(first, at - (moment.monotonicNanos() - before));
    }
    try {
      diagnosis = Diagnosis.of(moment.fields());
    } catch (IllegalArgumentException incomplete) {
      diagnosis = null;
    }
  }

  private void decide(long at, Moment moment) {
    if (decided == UNKNOWN) {
      decided = at;
      try {
        decision = Decision.of(moment.fields());
      } catch (IllegalArgumentException incomplete) {
        decision = null;
      }
    }
  }
}
