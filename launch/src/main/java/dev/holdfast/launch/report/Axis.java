package dev.holdfast.launch.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Puts moments on one axis: nanoseconds since the first, in order, whatever clocks did and however
 * late a moment was told.
 *
 * <p>The monotonic clock alone counts, so that setting the wall clock changes nothing. It begins
 * anew when another machine or another boot goes on writing; there, and only there, the wall clock
 * bridges the gap.
 */
final class Axis {
  private static final long DRIFT = Duration.ofMinutes(1).toNanos();

  record At(long nanos, Moment moment) {}

  private Axis() {}

  static List<At> of(List<Moment> moments) {
    List<At> axis = new ArrayList<>(moments.size());
    long now = 0;
    long reference = 0;
    Moment before = null;
    for (Moment moment : moments) {
      long own = moment.monotonicNanos();
      if (before == null) {
        reference = own;
      } else if (begunAnew(before, moment)) {
        now += Math.max(0, between(before, moment));
        reference = own;
      } else if (own > reference) {
        now += own - reference;
        reference = own;
      }
      long late = before == null ? 0 : Math.max(0, reference - own);
      boolean told = moment.flag(Digest.TOLD);
      axis.add(new At(told ? now - late : Math.max(0, now - late), moment));
      before = moment;
    }
    axis.sort(Comparator.comparingLong(At::nanos));
    return fromZero(axis);
  }

  /** Who goes on telling a run may have come later than what was told. */
  private static List<At> fromZero(List<At> axis) {
    long first = axis.isEmpty() ? 0 : axis.getFirst().nanos();
    return first >= 0
        ? axis
        : axis.stream().map(at -> new At(at.nanos() - first, at.moment())).toList();
  }

  private static boolean begunAnew(Moment before, Moment moment) {
    long step = moment.monotonicNanos() - before.monotonicNanos();
    return moment.kind().equals(Kinds.WATCHER_RESTARTED)
        && Math.abs(step - between(before, moment)) > DRIFT;
  }

  /** By the wall clock, at most a year. */
  private static long between(Moment before, Moment moment) {
    Duration wall = Duration.between(before.at(), moment.at());
    Duration year = Duration.ofDays(365);
    return wall.abs().compareTo(year) > 0 ? 0 : wall.toNanos();
  }
}
