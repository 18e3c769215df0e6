package dev.holdfast.launch.run;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.launch.action.ActionOutcome;
import dev.holdfast.launch.action.ActionSpec;
import dev.holdfast.launch.action.Actions;
import dev.holdfast.launch.action.News;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.plan.LogFolders;
import dev.holdfast.launch.report.Kinds;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Does what the operator wants done besides when something happens; never holds the run up. */
final class ActionChain {
  private final JobSpec spec;
  private final RunLog log;
  private final List<ActionSpec> actions;
  private final Queue<Thread> running = new ConcurrentLinkedQueue<>();

  ActionChain(JobSpec spec, RunLog log) {
    this.spec = spec;
    this.log = log;
    this.actions =
        spec.ending().actions().stream().flatMap(text -> ActionSpec.parse(text).stream()).toList();
  }

  /** Whether the launcher itself is to do this after such a failure. */
  boolean wants(ActionSpec.Kind kind, Diagnosis diagnosis) {
    return actions.stream()
        .anyMatch(
            action ->
                action.kind() == kind
                    && action.on(ActionSpec.Event.FAILURE, Optional.of(diagnosis.kind())));
  }

  void begin(
      ActionSpec.Event event,
      int attempt,
      @Nullable Diagnosis diagnosis,
      @Nullable Decision decision) {
    Optional<dev.holdfast.core.forensics.FailureClass> cause =
        Optional.ofNullable(diagnosis).map(Diagnosis::kind);
    List<ActionSpec> chosen =
        actions.stream()
            .filter(action -> action.kind().external() && action.on(event, cause))
            .toList();
    if (chosen.isEmpty()) {
      return;
    }
    News news =
        new News(
            event,
            Instant.now(),
            spec.job(),
            attempt,
            LogFolders.ofNode(spec),
            diagnosis,
            decision);
    running.add(Actions.start(chosen, news, outcome -> told(attempt, outcome)));
  }

  private void told(int attempt, ActionOutcome outcome) {
    Map<String, @Nullable Object> details = new LinkedHashMap<>(outcome.json());
    details.put("attempt", attempt);
    log.moment(Kinds.ACTION, details);
    if (!outcome.done()) {
      log.say(outcome.what());
    }
  }

  /**
   * Does this once all that was begun has come to its end, which each action does by its deadline:
   * a process that ends takes its actions with it.
   */
  void afterwards(Runnable last) {
    running.removeIf(thread -> !thread.isAlive());
    if (running.isEmpty()) {
      last.run();
      return;
    }
    Thread.ofVirtual()
        .name("end of actions")
        .start(
            () -> {
              try {
                for (Thread chain : running) {
                  chain.join();
                }
              } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
              } finally {
                last.run();
              }
            });
  }
}
