package dev.holdfast.launch.watch;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.text.Durations;
import dev.holdfast.launch.job.RankActivity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;

/** Says in numbers what a call of a hang rests on. */
final class HangWords {
  private static final int MOST_LINES = 16;
  private static final double CANNOT_TELL = 0.3;

  private final Learned learned;
  private IntFunction<String> nodeOf = _ -> "";

  HangWords(Learned learned) {
    this.learned = learned;
  }

  void nodes(IntFunction<String> nodes) {
    nodeOf = nodes;
  }

  Diagnosis stopped(List<RankTrack> stopped, List<RankTrack> all, double now) {
    List<String> evidence = new ArrayList<>();
    for (RankTrack rank : stopped.subList(0, Math.min(MOST_LINES, stopped.size()))) {
      evidence.add(
          name(rank)
              + ": state T (stopped by a signal) for "
              + show(rank.stoppedFor(now))
              + ", step "
              + step(rank.last));
    }
    evidence.add((all.size() - stopped.size()) + " of " + all.size() + " ranks are not stopped");
    String who = ranks(stopped);
    return diagnosis(
        stopped, all, 0.95, who + " stopped by a signal (SIGSTOP or the like)", evidence);
  }

  Diagnosis quiet(Suspicion suspicion, List<RankTrack> all, double now, double limit) {
    List<RankTrack> named = suspicion.ranks();
    Set<RankTrack> set = new HashSet<>(named);
    List<RankTrack> others = all.stream().filter(rank -> !set.contains(rank)).toList();
    List<String> evidence = new ArrayList<>();
    for (RankTrack rank : named.subList(0, Math.min(MOST_LINES, named.size()))) {
      evidence.add(alone(rank, now));
    }
    suspicion.signs().forEach(sign -> evidence.add("sign: " + sign.words()));
    if (!others.isEmpty()) {
      evidence.add(together(others, now));
    }
    evidence.add(limitText(limit));
    double quietest =
        (named.isEmpty() ? all : named)
            .stream().mapToDouble(RankTrack::progressAt).max().orElse(now);
    String since = show(now - quietest);
    if (named.isEmpty()) {
      String what = "no sign of progress of any rank for " + since + "; cannot tell whose fault";
      return diagnosis(named, all, CANNOT_TELL, what, evidence);
    }
    String what =
        ranks(named) + " quiet for " + since + (others.isEmpty() ? "" : ", the others wait");
    double sure = suspicion.signs().isEmpty() ? 0.5 : suspicion.confidence();
    return diagnosis(named, all, sure, what, evidence);
  }

  private Diagnosis diagnosis(
      List<RankTrack> named, List<RankTrack> all, double sure, String what, List<String> lines) {
    Set<String> nodes = new HashSet<>();
    named.forEach(rank -> nodes.add(nodeOf.apply(rank.last.rank())));
    return new Diagnosis(
        FailureClass.HANG,
        named.stream().map(rank -> rank.last.rank()).toList(),
        nodes.size() == 1 ? nodes.iterator().next() : "",
        sure,
        what,
        lines,
        all.stream().mapToLong(rank -> rank.last.step()).max().orElse(-1));
  }

  private String name(RankTrack rank) {
    String node = nodeOf.apply(rank.last.rank());
    String device = rank.last.load().name();
    return "rank "
        + rank.last.rank()
        + (node.isEmpty() ? "" : " on " + node)
        + (device.isEmpty() ? "" : " (" + device + ")");
  }

  private String alone(RankTrack rank, double now) {
    RankActivity last = rank.last;
    String where = last.waitsIn().isEmpty() ? "" : " in " + last.waitsIn();
    String phase = last.phase().isEmpty() ? "" : ", in phase " + last.phase();
    String store = last.waitsFor().isEmpty() ? "" : ", waits for key " + last.waitsFor();
    return "%s: state %s%s, step %s, no step for %s, no output for %s, no I/O for %s, %.2f cores%s%s%s%s"
        .formatted(
            name(rank),
            last.state(),
            where,
            step(last),
            show(now - rank.stepAt),
            show(now - rank.outputAt),
            show(now - rank.ioAt),
            rank.cores,
            device(rank, now),
            last.collective() < 0 ? "" : ", began collective " + last.collective(),
            phase,
            store);
  }

  private static String device(RankTrack rank, double now) {
    int percent = rank.last.load().percent();
    if (percent < 0) {
      return "";
    }
    double idle = rank.deviceIdleFor(now);
    return ", device at " + percent + " %" + (idle > 0 ? " (still for " + show(idle) + ")" : "");
  }

  private static String devices(List<RankTrack> others) {
    int[] known = others.stream().mapToInt(rank -> rank.last.load().percent()).sorted().toArray();
    if (known[0] < 0) {
      return "";
    }
    return ", devices at "
        + (known[0] == known[known.length - 1]
            ? known[0] + " %"
            : known[0] + " to " + known[known.length - 1] + " %");
  }

  private static String collectives(List<RankTrack> others) {
    long low = others.stream().mapToLong(rank -> rank.last.collective()).min().orElse(-1);
    long high = others.stream().mapToLong(rank -> rank.last.collective()).max().orElse(-1);
    return low < 0 ? "" : ", began collective " + low + (low == high ? "" : " to " + high);
  }

  private static String together(List<RankTrack> others, double now) {
    long low = others.stream().mapToLong(rank -> rank.last.step()).min().orElse(-1);
    long high = others.stream().mapToLong(rank -> rank.last.step()).max().orElse(-1);
    String steps =
        high < 0 ? "no step told" : low == high ? "step " + low : "steps " + low + " to " + high;
    long atStore = others.stream().filter(rank -> !rank.last.waitsFor().isEmpty()).count();
    Set<String> places = new HashSet<>();
    others.forEach(rank -> places.add(rank.last.waitsIn()));
    places.remove("");
    return "%d others: %s, no progress for %s or more, %s cores%s%s%s%s"
        .formatted(
            others.size(),
            steps,
            show(now - most(others, RankTrack::progressAt)),
            range(-most(others, rank -> -rank.cores), most(others, rank -> rank.cores)),
            devices(others),
            collectives(others),
            places.isEmpty() || places.size() > 4
                ? ""
                : ", in " + String.join(", ", places.stream().sorted().toList()),
            atStore == 0 ? "" : ", " + atStore + " wait at the store");
  }

  private static double most(List<RankTrack> ranks, ToDoubleFunction<RankTrack> value) {
    return ranks.stream().mapToDouble(value).max().orElse(0);
  }

  private static String range(double low, double high) {
    return high - low < 0.01
        ? String.format(Locale.ROOT, "%.2f", low)
        : String.format(Locale.ROOT, "%.2f to %.2f", low, high);
  }

  private String limitText(double limit) {
    String pace =
        learned.knowsSteps()
            ? ", %d gaps between steps seen, 99 %% of them within %s"
                .formatted(learned.stepGaps.count(), show(learned.usualGap()))
            : ", the job tells no steps";
    return "limit " + show(limit) + pace;
  }

  private static String step(RankActivity rank) {
    return rank.step() < 0 ? "unknown" : Long.toString(rank.step());
  }

  private static String ranks(List<RankTrack> named) {
    if (named.size() == 1) {
      return "rank " + named.getFirst().last.rank();
    }
    List<String> numbers =
        named.stream().limit(8).map(rank -> Integer.toString(rank.last.rank())).toList();
    return "ranks "
        + String.join(", ", numbers)
        + (named.size() > 8 ? " and " + (named.size() - 8) + " more" : "");
  }

  private static String show(double seconds) {
    return Durations.show(Duration.ofMillis(Math.max(0, Math.round(seconds * 10) * 100)));
  }
}
