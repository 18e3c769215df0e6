package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import java.util.List;

/**
 * How an attempt begins: enough launchers, a store, a record that counts, and then the word to run.
 */
final class Beginning {
  private static final int MOST_ATTEMPTS = 1_000_000;

  private final Core core;
  private final Roster roster;
  private final Course course;
  private final Records records;
  private final AttemptStore store;
  private final Stopping stopping;
  private final Timings timings;
  private long lastCallAt = -1;
  private List<Member> chosen = List.of();

  /** Ranks that nobody here knows of may live until then. */
  private long notBefore = Peer.NEVER;

  Beginning(
      Core core,
      Roster roster,
      Course course,
      Records records,
      AttemptStore store,
      Stopping stopping) {
    this.core = core;
    this.roster = roster;
    this.course = course;
    this.records = records;
    this.store = store;
    this.stopping = stopping;
    timings = core.setup.timings();
  }

  void gather() {
    if (core.now <= notBefore) {
      return;
    }
    List<Peer> available = roster.available();
    if (enough(available.size())) {
      chosen = roster.pick(available);
      course.attempt++;
      store.want();
      course.enter(Phase.OPENING);
    } else if (core.now - course.since > timings.join().toMillis()) {
      course.ending =
          new JobRecord.Ending(
              Setup.NO_QUORUM,
              "only %d of the %d nodes needed came within %d s"
                  .formatted(available.size(), core.setup.min(), timings.join().toSeconds()));
      stopping.afterAttempt();
    }
  }

  private boolean enough(int count) {
    Setup setup = core.setup;
    if (count < setup.min()) {
      lastCallAt = -1;
      return false;
    }
    if (core.record != null || count >= setup.max() + setup.spares()) {
      return true;
    }
    if (lastCallAt < 0) {
      lastCallAt = core.now + timings.lastCall().toMillis();
    }
    return core.now >= lastCallAt;
  }

  void open() {
    store.open(course.attempt, chosen);
  }

  private boolean waitsFor(int attempt) {
    return course.phase == Phase.OPENING && attempt == course.attempt;
  }

  void storeFailed(int attempt, String reason, boolean old) {
    if (!waitsFor(attempt)) {
      return;
    }
    if (old && attempt < MOST_ATTEMPTS) {
      // A leader that was lost with all that knew of it had come further than the record says.
      // Whom it let run is not known; who runs without a leader does so no longer than a lease.
      store.forget();
      notBefore = course.inheritedUntil;
      course.enter(Phase.GATHERING);
    } else if (store.failed(attempt, reason)) {
      course.ending = new JobRecord.Ending(1, "the store could not be opened: " + reason);
      stopping.afterAttempt();
    }
  }

  /** Whether the attempt goes on with it. */
  boolean storeOpened(int attempt, StoreKeeper.Place place) {
    if (!waitsFor(attempt)) {
      store.closeStray(attempt);
      return false;
    }
    countMissed(attempt);
    Assignment next =
        new Assignment(
            core.setup.job(), attempt, course.restarts, chosen, place.host(), place.port());
    course.assignment = next;
    records.writeAttempt(next, course.decided);
    course.enter(Phase.PREPARING);
    return true;
  }

  /** Attempts that were and of which the record says nothing; once, with the record that does. */
  private void countMissed(int attempt) {
    JobRecord known = core.record;
    int missed = known == null ? 0 : attempt - known.attempt() - 1;
    if (missed > 0) {
      course.restarts += missed;
      core.judge.missed(missed);
    }
  }

  /** Whether an attempt whose ranks may run already has lost one, or one not begun its node. */
  private boolean without(Peer peer) {
    boolean done = peer.done && peer.attempt == course.attempt;
    return course.resumed
        ? !done && (peer.clear >= course.attempt || !roster.fresh(peer))
        : !roster.fresh(peer);
  }

  void prepared(Running running) {
    for (Peer peer : roster.assigned()) {
      if (without(peer)) {
        if (course.resumed) {
          running.lost(peer);
        } else {
          String node = peer.member.node();
          core.note("lost", node + " was lost before attempt " + course.attempt + " began");
          stopping.beginWithoutRanks();
        }
        return;
      }
    }
    JobRecord.Ending end = course.ending;
    if (end != null && course.resumed) {
      course.graceMillis = timings.endGrace().toMillis();
      stopping.begin(end.why(), false);
    } else if (end != null) {
      stopping.beginWithoutRanks();
    } else if (roster.holds(core.version())) {
      running.begin();
    }
  }
}
