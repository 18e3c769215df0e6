package dev.holdfast.agent.watch;

import dev.holdfast.doctor.Doctor;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.history.History;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.site.Site;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The checks of one pace, with counters of their own: a history that rounds of different checks
 * shared would be full of samples that know little.
 */
final class Round {
  private static final Duration CHECK = Duration.ofSeconds(10);
  private static final Duration TOTAL = Duration.ofSeconds(30);
  static final Duration STUCK = Duration.ofSeconds(15);

  private final Pace pace;
  private final List<OneAtATime> checks;
  private final Doctor doctor;
  private volatile History history;

  Round(Pace pace, List<OneAtATime> checks, Site site, History history) {
    this.pace = pace;
    this.checks = List.copyOf(checks);
    this.doctor = new Doctor(List.<Check>copyOf(checks), site, CHECK, TOTAL);
    this.history = history;
  }

  Pace pace() {
    return pace;
  }

  /** Puts all checks to the node, once. */
  synchronized List<CheckResult> run(NodeView node) {
    Doctor.Visit visit = doctor.examine(node, Level.PASSIVE, history);
    history = visit.history();
    return visit.report().results();
  }

  /** As of the last time all checks had answered; waits for none that hangs. */
  History history() {
    return history;
  }

  /** The checks that do not come back, and for how long. */
  Map<String, Duration> stuck() {
    Map<String, Duration> stuck = new LinkedHashMap<>();
    for (OneAtATime check : checks) {
      Duration running = check.running();
      if (running.compareTo(STUCK) > 0) {
        stuck.put(check.info().id(), running);
      }
    }
    return stuck;
  }
}
