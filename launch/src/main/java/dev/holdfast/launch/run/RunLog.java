package dev.holdfast.launch.run;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.report.Moment;
import dev.holdfast.launch.report.Timeline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private record Noted(String kind, int attempt, long rank) {
    static Noted of(Moment moment) {
      return new Noted(moment.kind(), moment.attempt(), moment.number("rank", -1));
    }
  }

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

  /** All that the timeline holds. */
  List<Moment> moments() {
    return timeline.moments();
  }

  /** This process goes on with the run of an earlier one, and knows what that one found. */
  void goesOn() {
    for (Moment moment : timeline.moments()) {
      if (moment.kind().equals(Kinds.JOB_BEGUN)) {
        earlier.clear();
        forget();
      } else if (moment.details().containsKey("rank")) {
        earlier.add(Noted.of(moment));
      }
      finding(moment).ifPresent(this::keep);
    }
  }

  /** Takes in what others told of the run, as far as this node has not seen it itself. */
  void inherit(List<Moment> story) {
    Set<Noted> own = new HashSet<>();
    timeline.moments().forEach(moment -> own.add(Noted.of(moment)));
    for (Moment moment : story) {
      if (!own.contains(Noted.of(moment))) {
        timeline.add(moment);
        finding(moment).ifPresent(this::keep);
      }
    }
  }

  /** What a moment says that the operator must know. */
  private static Optional<String> finding(Moment moment) {
    try {
      return switch (moment.kind()) {
        case Kinds.FINDING -> Optional.of(moment.text("what"));
        case Kinds.DIAGNOSIS -> Optional.of(RunJudge.sentence(Diagnosis.of(moment.fields())));
        default -> Optional.empty();
      };
    } catch (IllegalArgumentException incomplete) {
      return Optional.empty();
    }
  }

  /** Whether an earlier process of this run has noted this of a rank. */
  boolean noted(String kind, int attempt, int rank) {
    return earlier.contains(new Noted(kind, attempt, rank));
  }

  /** A line for the operator. */
  /** Waits until what was noted is in the file of the timeline. */
  void settle(Duration limit) throws InterruptedException {
    timeline.settle(limit);
  }

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
    keep(what);
  }

  private void keep(String what) {
    synchronized (findings) {
      if (findings.size() == MOST_FINDINGS) {
        findings.removeFirst();
      }
      findings.addLast(what);
    }
  }

  private void forget() {
    synchronized (findings) {
      findings.clear();
    }
  }

  List<String> findings() {
    synchronized (findings) {
      return new ArrayList<>(findings);
    }
  }
}
