package dev.holdfast.core.forensics.flight;

import dev.holdfast.core.forensics.Ranks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * All came to a collective, and still it does not end: a device, or the network?
 *
 * <p>With timing recorded a dump says whether the device began; a device begins without waiting for
 * others. So where most began and some did not, those are busy with something else. Where all
 * began, the network is left; two ranks are its two ends, and several stalled meetings with one
 * rank in common name that rank. Without timing the two cannot be told apart, unless all but one
 * have ended it ({@link LeftOpen}).
 */
final class Stalls {
  private static final int MOST_EVIDENCE = 8;

  private final Situation situation;

  Stalls(Situation situation) {
    this.situation = situation;
  }

  /** Devices that have not begun what they were given, where others have. */
  Optional<Hypothesis> idleDevices() {
    Set<Integer> idle = new TreeSet<>();
    Set<Integer> busy = new TreeSet<>();
    List<String> evidence = new ArrayList<>();
    for (Attendance attendance : situation.attendances()) {
      for (Standing standing : attendance.waiting()) {
        if (started(standing)) {
          busy.add(standing.rank());
        } else {
          idle.add(standing.rank());
          evidence.add(
              "rank %d: %s, in %s"
                  .formatted(
                      standing.rank(),
                      situation.say(standing, standing.head()),
                      attendance.meeting().text()));
        }
      }
    }
    if (idle.isEmpty() || idle.size() > busy.size()) {
      return Optional.empty();
    }
    evidence.add("begun on the devices of " + Ranks.named(busy));
    return Optional.of(
        new Hypothesis(
            List.copyOf(idle),
            Cause.DEVICE_HANG,
            0.85,
            "%s gave a collective to the device, which did not begin it; those of the others did begin theirs."
                .formatted(Hypothesis.begin(Ranks.named(idle))),
            evidence.subList(Math.max(0, evidence.size() - MOST_EVIDENCE), evidence.size()),
            List.of()));
  }

  /** Meetings to which all came. */
  Optional<Hypothesis> stuck() {
    List<Attendance> full =
        situation.attendances().stream()
            .filter(Attendance::full)
            .filter(one -> !one.waiting().isEmpty())
            .toList();
    if (full.isEmpty()) {
      return Optional.empty();
    }
    List<String> evidence = new ArrayList<>();
    boolean timed = false;
    for (Attendance attendance : full.stream().limit(MOST_EVIDENCE).toList()) {
      long began = attendance.waiting().stream().filter(Stalls::started).count();
      timed |= began > 0;
      evidence.add(
          "%s: all %d came, begun on %d devices"
              .formatted(
                  Hypothesis.begin(attendance.meeting().text()),
                  attendance.waiting().size() + attendance.done().size(),
                  began));
    }
    return Optional.of(timed ? network(full, evidence) : untimed(full, evidence));
  }

  private static boolean started(Standing standing) {
    Entries entries = standing.flight.entries();
    return entries.state[standing.head()] == Entries.STARTED
        || entries.started[standing.head()] > 0;
  }

  private static Hypothesis network(List<Attendance> full, List<String> evidence) {
    Set<Integer> common = common(full);
    Set<Integer> all = all(full);
    boolean transfer = full.size() == 1 && all.size() == 2;
    boolean one = full.size() > 1 && common.size() == 1;
    List<Integer> culprits = one || transfer ? List.copyOf(common) : List.of();
    return new Hypothesis(
        culprits,
        Cause.NETWORK,
        one ? 0.7 : transfer ? 0.65 : 0.5,
        culprits.isEmpty()
            ? "All came and all devices began, and nothing moves: the network between %s."
                .formatted(Ranks.named(all))
            : "All came and all devices began, and nothing moves: the network %s %s."
                .formatted(one ? "of" : "between", Ranks.named(culprits)),
        evidence,
        one ? List.of() : List.of("counters of the adapters and switches between these ranks"));
  }

  private static Hypothesis untimed(List<Attendance> full, List<String> evidence) {
    return new Hypothesis(
        List.of(),
        Cause.UNKNOWN,
        0.4,
        "All of %s came, and nothing moves: a device or the network."
            .formatted(Ranks.named(all(full))),
        evidence,
        List.of(
            "whether the devices began: start the job with TORCH_NCCL_ENABLE_TIMING=1",
            "Xid and port counters of their nodes (holdfast doctor)"));
  }

  private static Set<Integer> all(List<Attendance> full) {
    Set<Integer> all = new TreeSet<>();
    full.forEach(one -> one.waiting().forEach(standing -> all.add(standing.rank())));
    return all;
  }

  private static Set<Integer> common(List<Attendance> full) {
    Set<Integer> common = all(full);
    for (Attendance attendance : full) {
      common.retainAll(
          attendance.waiting().stream().map(Standing::rank).collect(Collectors.toSet()));
    }
    return common;
  }
}
