package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Member;
import org.jspecify.annotations.Nullable;

/**
 * What the leader does: gather launchers, open a store, have the record held by a majority, let the
 * ranks run, notice what fails, stop all, decide, and again. How each of this is done is told in
 * {@link Beginning}, {@link Running} and {@link Stopping}; here is what comes from outside and when
 * it is whose turn.
 *
 * <p>It acts only while a majority owes it its word. A next attempt begins when each member of the
 * one before has said that its ranks are gone, or when the lease it could hold at most has run out.
 */
final class Leading {
  /** So long nothing may be heard of launchers that should say goodbye before they are given up. */
  private static final long BYE_LIMIT = 2_000;

  private static final long BYE_MOST = 60_000;

  /** A longer time between two looks was this launcher's own pause: nobody else's silence. */
  private static final long LOOK_MOST = 250;

  private final Core core;
  private final long term;
  private final Roster roster;
  private final Course course;
  private final Words words;
  private final Calls calls;
  private final Records records;
  private final AttemptStore store;
  private final Stopping stopping;
  private final Beginning beginning;
  private final Running running;
  private final Timings timings;
  private final long silence;
  private long powerlessSince = -1;
  private long claimAt;

  /** How many had not said goodbye when last looked, and for how long nothing came from them. */
  private int unheard = -1;

  private long lookedAt;
  private long quiet;

  private Leading(Core core) {
    this.core = core;
    term = core.term;
    timings = core.setup.timings();
    silence = timings.silenceMillis();
    roster = new Roster(core);
    course = new Course(core);
    words = new Words(core, roster, course);
    calls = new Calls(core, roster);
    records = new Records(core, roster);
    store = new AttemptStore(core);
    stopping = new Stopping(core, roster, course, words, records, store);
    beginning = new Beginning(core, roster, course, records, store, stopping);
    running = new Running(core, roster, course, words, stopping);
    core.leader = core.self;
  }

  /** The leader of a new term, which goes on with what the record says. */
  static Leading inTerm(Core core) {
    Leading leading = new Leading(core);
    JobRecord record = core.record;
    if (record != null) {
      leading.inherit(record);
    }
    return leading;
  }

  /**
   * The same leader of the same term, in a process that was started again. What ran may run on: all
   * are taken to have been heard of a moment ago, and to have been granted a lease.
   */
  static Leading again(Core core, Memory.Lead memory) {
    Leading leading = new Leading(core);
    leading.resume(memory);
    return leading;
  }

  private void resume(Memory.Lead memory) {
    course.resume(memory);
    roster.excluded().addAll(memory.excluded());
    course.inheritedUntil = core.now + silence;
    JobRecord record = core.record;
    if (record != null) {
      course.attempt = record.attempt();
      store.found(course.attempt);
      course.assignment = record.assignment();
      record.voters().forEach(roster::find);
      roster.assign(record.assignment());
      roster.all().forEach(peer -> peer.heardAt = core.now);
      course.resumed = course.floor < course.attempt;
      course.phase = course.resumed ? Phase.PREPARING : Phase.STOPPING;
      core.broadcast(roster.all(), words.tell(null));
    }
  }

  private void inherit(JobRecord record) {
    core.judge.takeOver(record.assignment());
    course.attempt = record.attempt();
    course.floor = course.attempt;
    if (core.arbitrated) {
      store.found(course.attempt);
    }
    course.assignment = record.assignment();
    course.restarts = record.assignment().restarts();
    roster.excluded().addAll(record.excluded());
    course.ending = record.ending();
    course.why = "the leader was lost";
    course.diagnosis = Losses.leader();
    course.inheritedUntil = core.now + silence;
    record.voters().forEach(roster::find);
    roster.assign(record.assignment());
    for (Peer peer : roster.assigned()) {
      if (core.gone.contains(Names.id(peer.member))) {
        peer.gone = true;
        course.diagnosis = Losses.node(peer, record.assignment(), false, timings);
      }
    }
    course.phase = Phase.STOPPING;
    core.note("leader", core.self.node() + " leads from now on");
    core.broadcast(roster.all(), words.tell(null));
  }

  Memory.Lead memory() {
    return course.memory(roster.excluded());
  }

  long term() {
    return term;
  }

  Phase phase() {
    return course.phase;
  }

  Roster roster() {
    return roster;
  }

  int attempt() {
    return course.attempt;
  }

  boolean ended() {
    return course.phase == Phase.ENDED;
  }

  /** Whether it has had no majority for so long that somebody else should try. */
  boolean shouldResign() {
    return powerlessSince >= 0 && core.now - powerlessSince > silence;
  }

  void resign() {
    if (core.arbitrated) {
      core.claimedUntil = Peer.NEVER;
      core.effects.add(new Effect.Release(Names.holder(core.self), term));
    }
    store.abandon();
  }

  void leave(String reason) {
    resign();
    core.broadcast(roster.others(), new Message.Bye(core.term, reason));
  }

  void heard(Member from, Message.Renew renew) {
    Peer peer = roster.find(from);
    if (peer == null) {
      return;
    }
    peer.moved(from);
    if (!roster.fresh(peer) && !peer.replaced) {
      core.note("joined", from.node() + " is there");
    }
    boolean news = peer.heard(renew, core.term, core.now);
    news |= running.takeEvidence(peer, renew);
    JobRecord.Ending ask = renew.ask();
    if (ask != null) {
      end(ask, timings.endGrace().toMillis());
      news = true;
    }
    if (news) {
      advance();
    }
    if (peer.stamp < course.since && !core.isSelf(from)) {
      // It has not read the newest yet: when that is that the job is over, it will say goodbye.
      quiet = 0;
    }
    core.send(from, words.answer(peer, renew));
  }

  void bye(Member from) {
    Peer peer = roster.find(from);
    if (peer != null && !peer.gone) {
      peer.gone = true;
      peer.live = false;
      core.note("left", from.node() + " left");
      advance();
    }
  }

  /** Ends the job from outside. */
  private void end(JobRecord.Ending how, long grace) {
    if (course.ending != null) {
      return;
    }
    course.ending = how;
    if (course.phase.runs()) {
      course.graceMillis = grace;
      stopping.begin(how.why(), false);
    } else if (course.phase == Phase.GATHERING) {
      stopping.afterAttempt();
    }
  }

  /** Has all ranks of the attempt looked at, where they are. */
  void collectEvidence() {
    if (course.phase.runs()) {
      core.broadcast(roster.assigned(), new Message.Collect(core.term, course.attempt));
    }
  }

  void tick() {
    records.tick();
    if (core.arbitrated && core.now >= claimAt) {
      claimAt = core.now + timings.renew().toMillis();
      core.effects.add(new Effect.Claim(Names.holder(core.self), term, term));
    }
    if (!roster.authority()) {
      if (powerlessSince < 0) {
        powerlessSince = core.now;
        core.note("no-quorum", "no majority of the first launchers answers: nothing is decided");
      }
      return;
    }
    if (powerlessSince >= 0) {
      powerlessSince = -1;
      core.note("quorum", "a majority answers again");
    }
    calls.tick(words);
    advance();
  }

  /** Does what can be done now. Each step leaves the phase it belongs to, so this ends. */
  private void advance() {
    if (!roster.authority()) {
      return;
    }
    Phase before;
    do {
      before = course.phase;
      switch (course.phase) {
        case GATHERING -> beginning.gather();
        case OPENING -> beginning.open();
        case PREPARING -> beginning.prepared(running);
        case RUNNING -> running.run();
        case COLLECTING -> running.collect();
        case STOPPING -> stopping.stopping();
        case CLOSING -> stopping.closing();
        case ENDING -> stopping.ending();
        case ENDED -> {}
      }
    } while (course.phase != before);
  }

  void storeFailed(int attempt, String reason, boolean old) {
    beginning.storeFailed(attempt, reason, old);
  }

  void storeOpened(int attempt, StoreKeeper.Place place) {
    if (beginning.storeOpened(attempt, place)) {
      advance();
    }
  }

  void storeClosed(int attempt) {
    if (store.closed(attempt)) {
      advance();
    }
  }

  /** When all have heard that the job is over, or had their time: this launcher's own end. */
  Message.@Nullable Tell lastWord() {
    if (course.phase != Phase.ENDED) {
      return null;
    }
    int others = roster.others().size();
    quiet = others == unheard ? quiet + Math.min(core.now - lookedAt, LOOK_MOST) : 0;
    unheard = others;
    lookedAt = core.now;
    boolean waits = quiet < BYE_LIMIT && core.now - course.since < BYE_MOST;
    return waits && others > 0 ? null : words.tell(null);
  }
}
