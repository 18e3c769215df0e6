package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.history.Change;
import java.util.Locale;

/**
 * One counter of a port that must not grow faster than a limit of its check.
 *
 * @param counter the file below the port, such as {@code counters/symbol_error}
 * @param limit the name of the check's limit
 * @param words what is counted, for the summary
 */
record CounterRule(String counter, String limit, Per per, Severity severity, String words) {
  /** The time a limit is for. */
  enum Per {
    SECOND(1, "per second"),
    MINUTE(60, "per minute"),
    HOUR(3600, "per hour");

    private final double seconds;
    private final String words;

    Per(double seconds, String words) {
      this.seconds = seconds;
      this.words = words;
    }
  }

  /** The last part of the path. */
  String name() {
    return counter.substring(counter.lastIndexOf('/') + 1);
  }

  /**
   * Whether the growth is above the limit. A stretch shorter than the limit's time counts as that
   * time: two errors in ten seconds are not 720 an hour.
   */
  boolean exceeded(Change change, double most) {
    return change.increase() > most * Math.max(1, seconds(change) / per.seconds);
  }

  String rate(Change change) {
    double rate = change.increase() / seconds(change) * per.seconds;
    return String.format(Locale.ROOT, rate < 10 ? "%.1f %s" : "%.0f %s", rate, per.words);
  }

  private static double seconds(Change change) {
    return Math.max(1, change.elapsed().toMillis() / 1000.0);
  }
}
