package dev.holdfast.launch.run;

import dev.holdfast.core.text.Json;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.report.Moment;
import dev.holdfast.launch.report.Timeline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where the watcher says what happens: the timeline of the run, and the operator's terminal. */
final class RunLog {
  private static final int MOST_FINDINGS = 100;

  private final Timeline timeline;
  private final Consumer<String> say;
  private final Set<Noted> earlier = ConcurrentHashMap.newKeySet();
  private final Deque<String> findings = new ArrayDeque<>();

  private record Noted(String kind, int attempt, long rank) {}

  RunLog(Timeline timeline, Consumer<String> say) {
    this.timeline = timeline;
    this.say = say;
  }

  /** A moment of the timeline, with alternating names and values. */
  void moment(String kind, @Nullable Object... details) {
    moment(kind, Json.map(details));
  }

  void moment(String kind, Map<String, @Nullable Object> details) {
    timeline.add(kind, details);
  }

  /** This process goes on with the run of an earlier one. */
  void goesOn() {
    for (Moment moment : timeline.moments()) {
      if (moment.kind().equals(Kinds.JOB_BEGUN)) {
        earlier.clear();
      } else if (moment.details().containsKey("rank")) {
        earlier.add(new Noted(moment.kind(), moment.attempt(), moment.number("rank", -1)));
      }
    }
  }

  /** Whether an earlier process of this run has noted this of a rank. */
  boolean noted(String kind, int attempt, int rank) {
    return earlier.contains(new Noted(kind, attempt, rank));
  }

  /** A line for the operator. */
  void say(String text) {
    say.accept(text);
  }

  /** What the operator must know, kept for who asks later. */
  void finding(int attempt, String severity, String what) {
    moment(Kinds.FINDING, "attempt", attempt, "severity", severity, "what", what);
    found(what);
  }

  /** The same where the timeline has it in another form already. */
  void found(String what) {
    say.accept(what);
    synchronized (findings) {
      if (findings.size() == MOST_FINDINGS) {
        findings.removeFirst();
      }
      findings.addLast(what);
    }
  }

  List<String> findings() {
    synchronized (findings) {
      return new ArrayList<>(findings);
    }
  }
}
