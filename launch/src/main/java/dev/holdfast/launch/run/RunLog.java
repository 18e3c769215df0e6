package dev.holdfast.launch.run;

import dev.holdfast.core.text.Json;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.report.Timeline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where the watcher says what happens: the timeline of the run, and the operator's terminal. */
final class RunLog {
  private static final int MOST_FINDINGS = 100;

  private final Timeline timeline;
  private final Consumer<String> say;
  private final Deque<String> findings = new ArrayDeque<>();

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

  /** A line for the operator. */
  void say(String text) {
    say.accept(text);
  }

  /** What the operator must know, kept for who asks later. */
  void finding(int attempt, String severity, String what) {
    moment(Kinds.FINDING, "attempt", attempt, "severity", severity, "what", what);
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
