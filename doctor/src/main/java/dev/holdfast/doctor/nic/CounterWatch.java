package dev.holdfast.doctor.nic;

import dev.holdfast.core.text.Durations;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Do counters of the ports grow faster than they may?
 *
 * <p>Lifetime totals say little: a port that flapped through last month's maintenance still shows
 * it. So only growth since an earlier run of the same boot is judged, and without one the answer is
 * that history is needed.
 */
final class CounterWatch {
  private static final Duration WINDOW = Duration.ofHours(1);

  private CounterWatch() {}

  /** Judges every port by the rules; of rules on one counter, the first that is broken speaks. */
  static void run(Examination exam, List<RdmaPort> ports, List<CounterRule> rules) {
    int fine = 0;
    for (RdmaPort port : ports) {
      List<String> told = new ArrayList<>();
      boolean judged = false;
      boolean counted = false;
      for (CounterRule rule : rules) {
        OptionalLong value = port.counter(rule.counter());
        if (value.isEmpty() || told.contains(rule.counter())) {
          continue;
        }
        counted = true;
        Optional<Change> change = exam.change(key(port, rule.name()), value.getAsLong(), WINDOW);
        judged |= change.isPresent();
        if (change.isPresent() && rule.exceeded(change.get(), exam.limit(rule.limit()))) {
          told.add(rule.counter());
          tell(exam, port, rule, change.get(), value.getAsLong());
        }
      }
      if (!counted) {
        exam.skip("the adapter does not count this");
      } else if (!judged) {
        exam.needsHistory();
      } else if (told.isEmpty()) {
        fine++;
      }
    }
    if (fine > 0) {
      exam.pass(fine == 1 ? "1 port within limits" : fine + " ports within limits");
    }
  }

  /** The name under which a port's counter is kept between runs. */
  static String key(RdmaPort port, String counter) {
    return "nic/" + port.name() + "/" + counter;
  }

  private static void tell(
      Examination exam, RdmaPort port, CounterRule rule, Change change, long value) {
    exam.draft(
            port.subject(),
            rule.severity(),
            "%d %s in %s (%s; limit %s)"
                .formatted(
                    change.increase(),
                    rule.words(),
                    Durations.show(change.elapsed()),
                    rule.rate(change),
                    plain(exam.limit(rule.limit()))))
        .evidence(port.path(rule.counter()), value)
        .evidence("growth in " + Durations.show(change.elapsed()), change.increase());
  }

  static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
