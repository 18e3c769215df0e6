package dev.holdfast.agent.request;

import dev.holdfast.agent.memory.Change;
import dev.holdfast.agent.memory.Memory;
import dev.holdfast.agent.watch.Machine;
import dev.holdfast.agent.watch.Watch;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement.Answer;
import dev.holdfast.core.report.Statement.Answered;
import dev.holdfast.doctor.check.CheckResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Carries out what the control plane asks, each request once for its id, over restarts too. That a
 * site's script begins is remembered before it does; if we end while it runs, nobody can tell
 * whether it took effect, and that is the answer.
 */
public final class Requests {
  private static final String KEY = "request/";
  private static final String BEGUN = "begun";
  private static final int REMEMBERED = 500;
  private static final int AT_ONCE = 4;
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final Duration AGAIN = Duration.ofSeconds(2);
  private static final int TRIES = 3;

  private final Memory memory;
  private final Watch watch;
  private final Machine machine;
  private final SiteScripts scripts;
  private final LauncherLine launchers;
  private final Consumer<List<CheckResult>> listener;
  private final InstantSource clock;
  private final Set<String> running = ConcurrentHashMap.newKeySet();
  private final Semaphore places = new Semaphore(AT_ONCE);

  /** The way to the launchers of this node. */
  public interface LauncherLine {
    Outcome ask(Request request) throws InterruptedException;
  }

  /**
   * @param listener gets the answers of checks that were asked for, as of any round
   */
  public Requests(
      Memory memory,
      Watch watch,
      Machine machine,
      SiteScripts scripts,
      LauncherLine launchers,
      Consumer<List<CheckResult>> listener,
      InstantSource clock) {
    this.memory = memory;
    this.watch = watch;
    this.machine = machine;
    this.scripts = scripts;
    this.launchers = launchers;
    this.listener = listener;
    this.clock = clock;
  }

  /** Answers for what an earlier life began and did not end. */
  public void recall() {
    memory
        .facts(KEY)
        .forEach(
            (key, state) -> {
              if (BEGUN.equals(state)) {
                String why = "the agent ended while the site's script ran";
                answer(key.substring(KEY.length()), new Outcome(Answer.UNKNOWN, why));
              }
            });
  }

  /** Begins what is new among these; says whether any is. */
  public boolean take(List<Request> open) {
    boolean any = false;
    for (Request request : open) {
      boolean known = memory.fact(KEY + request.id()).isPresent();
      if (!known && running.add(request.id())) {
        any = true;
        Thread.ofVirtual().name("request " + request.id()).start(() -> run(request));
      }
    }
    return any;
  }

  private void run(Request request) {
    boolean placed = false;
    try {
      places.acquire();
      placed = true;
      answer(request.id(), clock.instant().isAfter(request.until()) ? late() : carryOut(request));
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    } finally {
      running.remove(request.id());
      if (placed) {
        places.release();
      }
    }
  }

  private static Outcome late() {
    return new Outcome(Answer.REFUSED, "it came after its time");
  }

  private void answer(String id, Outcome outcome) {
    Change change = new Change();
    change.set(KEY + id, outcome.answer().word());
    List<String> old = new ArrayList<>(memory.facts(KEY).keySet());
    old.stream().limit(Math.max(0, old.size() - REMEMBERED)).forEach(key -> change.set(key, null));
    change.say(clock.instant(), new Answered(id, outcome.answer(), outcome.detail()));
    boolean _ = memory.commit(change);
  }

  private Outcome carryOut(Request request) throws InterruptedException {
    if (request.kind().ofLauncher()) {
      return launchers.ask(request);
    }
    if (!here(request.subject())) {
      return new Outcome(Answer.REFUSED, request.subject() + " is not of this node");
    }
    return switch (request.kind()) {
      case VERIFY -> verify(request);
      case RESET_DEVICE, RESTART_PROCESS, CORDON, UNCORDON -> act(request);
      case AVOID_NODE, STOP_AT_CHECKPOINT, RESTART_JOB ->
          throw new IllegalStateException("a launcher's to do");
      case RESERVE, RELEASE -> new Outcome(Answer.REFUSED, "a scheduler's to do");
      case CONFIRM -> new Outcome(Answer.REFUSED, "an agent tells no faults of others");
    };
  }

  private boolean here(Subject subject) {
    return switch (subject) {
      case Subject.Node node -> node.node().equals(machine.name());
      case Subject.Part part -> part.node().equals(machine.name());
      default -> false;
    };
  }

  /** Done only when every check looked and none says that the node is unfit: skip is not pass. */
  private Outcome verify(Request request) throws InterruptedException {
    List<String> unknown = request.checks().stream().filter(id -> !watch.knows(id)).toList();
    if (!unknown.isEmpty() || request.checks().isEmpty()) {
      return new Outcome(Answer.REFUSED, "no such checks here: " + unknown);
    }
    List<CheckResult> results = watch.verify(request.checks());
    for (int i = 1; i < TRIES && results.stream().anyMatch(Requests::skipped); i++) {
      // A round of the same check may be under way.
      Thread.sleep(AGAIN);
      results = watch.verify(request.checks());
    }
    listener.accept(results);
    Optional<CheckResult> bad =
        results.stream()
            .filter(it -> it.outcome() == dev.holdfast.core.health.Outcome.FAIL || skipped(it))
            .findFirst();
    return bad.map(
            it ->
                new Outcome(
                    Answer.FAILED,
                    it.info().id() + (skipped(it) ? " could not look: " : ": ") + it.detail()))
        .orElseGet(
            () -> new Outcome(Answer.DONE, "passed: " + String.join(", ", request.checks())));
  }

  private static boolean skipped(CheckResult result) {
    return result.outcome() == dev.holdfast.core.health.Outcome.SKIP;
  }

  private Outcome act(Request request) {
    Optional<Path> script = scripts.script(request.kind());
    if (script.isEmpty()) {
      String name = scripts.folder().resolve(request.kind().word()).toString();
      return new Outcome(Answer.REFUSED, "no means here: there is no " + name);
    }
    try {
      boolean _ = memory.commitForGood(new Change().set(KEY + request.id(), BEGUN));
    } catch (IOException problem) {
      String why = "the agent cannot remember that it began: " + problem.getMessage();
      return new Outcome(Answer.FAILED, why);
    }
    if (request.kind() == Request.Kind.RESET_DEVICE) {
      machine.release();
    }
    Duration left = Duration.between(clock.instant(), request.until()).plusSeconds(1);
    Outcome outcome =
        scripts.run(script.get(), request, left.compareTo(LONGEST) < 0 ? left : LONGEST);
    boolean cordon = request.kind() == Request.Kind.CORDON;
    boolean uncordon = request.kind() == Request.Kind.UNCORDON;
    if (outcome.answer() == Answer.DONE && (cordon || uncordon)) {
      memory.note("cordoned", cordon ? request.why() : null);
    }
    return outcome;
  }

  /** Why no new job may begin here, if the site's means were used to say so. */
  public Optional<String> cordoned() {
    return memory.fact("cordoned").map(String::valueOf);
  }
}
