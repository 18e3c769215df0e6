package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import java.util.List;

/**
 * How an attempt ends, and what comes then: the ranks of all nodes are gone or cannot be alive any
 * more, its store is closed, and then it is decided whether the job goes on.
 */
final class Stopping {
  private final Core core;
  private final Roster roster;
  private final Course course;
  private final Words words;
  private final Records records;
  private final AttemptStore store;
  private final Timings timings;

  Stopping(
      Core core, Roster roster, Course course, Words words, Records records, AttemptStore store) {
    this.core = core;
    this.roster = roster;
    this.course = course;
    this.words = words;
    this.records = records;
    this.store = store;
    timings = core.setup.timings();
  }

  /** Has the ranks of all nodes ended. */
  void begin(String reason, boolean forHang) {
    course.why = reason;
    course.hang = forHang;
    course.resumed = false;
    course.floor = course.attempt;
    course.enter(Phase.STOPPING);
    core.broadcast(roster.assigned(), words.tell(null));
  }

  /** The same when no rank was ever started, or all ended. */
  void beginWithoutRanks() {
    course.floor = course.attempt;
    closeStore();
  }

  void stopping() {
    boolean late = core.now - course.since > course.graceMillis + timings.stopLimit().toMillis();
    for (Peer peer : roster.assigned()) {
      if (!clear(peer)) {
        peer.fencedFor = late ? course.attempt : peer.fencedFor;
        if (core.now <= Math.max(peer.mayLiveUntil, course.inheritedUntil)) {
          return;
        }
      }
    }
    closeStore();
  }

  private boolean clear(Peer peer) {
    return peer.gone || peer.clear >= course.attempt;
  }

  private void closeStore() {
    course.enter(Phase.CLOSING);
    store.close();
  }

  void closing() {
    if (store.isClosed(course.since)) {
      afterAttempt();
    }
  }

  /** Nobody runs: end the job, or see what comes next. */
  void afterAttempt() {
    Diagnosis found = course.diagnosis;
    List<Peer> unconfirmed =
        found == null ? List.of() : roster.assigned().stream().filter(p -> !clear(p)).toList();
    for (Peer peer : unconfirmed) {
      core.note(
          "not-confirmed",
          peer.member.node()
              + " did not say that its ranks are gone; its lease ran out and the store is closed");
    }
    course.diagnosis = null;
    if (course.ending == null && found != null) {
      decide(Losses.withSilent(found, unconfirmed, course.running(), peer -> !roster.fresh(peer)));
    }
    JobRecord.Ending how = course.ending;
    if (how == null) {
      course.enter(Phase.GATHERING);
      return;
    }
    course.enter(Phase.ENDING);
    records.writeEnding(how, course.decided);
  }

  private void decide(Diagnosis found) {
    int spares = 0;
    for (Peer peer : roster.available()) {
      spares += peer.assigned ? 0 : 1;
    }
    Decision decision = core.judge.decide(course.running(), found, spares);
    course.decided = decision.why();
    core.note("decision", decision.why());
    if (decision.choice() == Decision.Choice.STOP) {
      course.ending = new JobRecord.Ending(decision.exitCode(), decision.why());
      return;
    }
    course.restarts += decision.counts() ? 1 : 0;
    if (!decision.without().isEmpty()) {
      roster.excluded().add(decision.without());
      if (core.setup.isAlone()) {
        course.ending = new JobRecord.Ending(1, decision.why() + "; there is no other node");
      }
    }
    avoid();
  }

  /** Leaves out nodes that somebody asked to, while enough others are there. */
  private void avoid() {
    for (String node : core.judge.avoided()) {
      long others =
          roster.available().stream()
              .filter(peer -> !peer.member.node().equals(node))
              .filter(peer -> !roster.excluded().contains(peer.member.node()))
              .count();
      if (others >= core.setup.min() && !roster.excluded().contains(node)) {
        roster.excluded().add(node);
        core.note("avoided", node + " is left out, as was asked");
      }
    }
  }

  void ending() {
    if (core.record == null || roster.holds(core.version())) {
      course.enter(Phase.ENDED);
      core.broadcast(roster.others(), words.tell(null));
    }
  }
}
