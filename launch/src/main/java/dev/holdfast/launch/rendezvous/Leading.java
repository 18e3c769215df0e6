package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.job.RankActivity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the leader does: gather launchers, open a store, have the record held by a majority, let the
 * ranks run, notice what fails, stop all, decide, and again.
 *
 * <p>It acts only while a majority owes it its word. A next attempt begins when each member of the
 * one before has said that its ranks are gone, or when the lease it could hold at most has run out.
 */
final class Leading {
  enum Phase {
    GATHERING,
    OPENING,
    PREPARING,
    RUNNING,
    COLLECTING,
    STOPPING,
    CLOSING,
    ENDING,
    ENDED
  }

  private static final long CLOSE_LIMIT = 10_000;
  private static final long BYE_LIMIT = 2_000;
  private static final long OPEN_RETRY = 1_000;
  private static final int OPEN_TRIES = 3;
  private static final long RECORD_AGAIN = 2_000;
  private static final int MOST_ATTEMPTS = 1_000_000;
  private static final int CALLS = 16;
  private static final int CALLS_MOST = 1_000;

  private final Core core;
  private final long term;
  private final Roster roster;
  private final Timings timings;
  private final long silence;

  private Phase phase = Phase.GATHERING;
  private long since;
  private long lastCallAt = -1;
  private int attempt = -1;
  private int restarts;
  private int floor = -1;
  private long graceMillis;
  private String why = "";
  private String decided = "";
  private boolean hang;

  /** Whether ranks of an attempt being prepared may run, because this process was not the first. */
  private boolean resumed;

  private @Nullable Assignment assignment;
  private List<Member> chosen = List.of();
  private int storeOf = -1;
  private int openTries;
  private long openAt;
  private final List<RankEvidence> evidence = new ArrayList<>();
  private long firstEvidenceAt;
  private long lastEvidenceAt;
  private long lookedAt;
  private @Nullable Diagnosis diagnosis;
  private JobRecord.@Nullable Ending ending;
  private long inheritedUntil = Peer.NEVER;
  private long powerlessSince = -1;
  private long callAt;
  private long claimAt;
  private int calls;

  Leading(Core core) {
    this.core = core;
    term = core.term;
    timings = core.setup.timings();
    silence = timings.silenceMillis();
    roster = new Roster(core);
    since = core.now;
    core.leader = core.self;
    JobRecord record = core.record;
    if (record != null) {
      inherit(record);
    }
  }

  /**
   * The same leader of the same term, in a process that was started again. What ran may run on: all
   * are taken to have been heard of a moment ago, and to have been granted a lease.
   */
  Leading(Core core, Memory.Lead memory) {
    this.core = core;
    term = core.term;
    timings = core.setup.timings();
    silence = timings.silenceMillis();
    roster = new Roster(core);
    since = core.now;
    core.leader = core.self;
    restarts = memory.restarts();
    floor = memory.floor();
    decided = memory.decided();
    why = memory.why();
    hang = memory.hang();
    graceMillis = memory.graceMillis();
    diagnosis = memory.diagnosis();
    ending = memory.ending();
    roster.excluded().addAll(memory.excluded());
    inheritedUntil = core.now + silence;
    JobRecord record = core.record;
    if (record != null) {
      attempt = record.attempt();
      storeOf = attempt;
      assignment = record.assignment();
      record.voters().forEach(roster::find);
      roster.assign(record.assignment());
      roster.all().forEach(peer -> peer.heardAt = core.now);
      resumed = floor < attempt;
      phase = resumed ? Phase.PREPARING : Phase.STOPPING;
      core.broadcast(roster.all(), tell(null));
    }
  }

  Memory.Lead memory() {
    return new Memory.Lead(
        floor, restarts, roster.excluded(), decided, why, graceMillis, hang, diagnosis, ending);
  }

  private void inherit(JobRecord record) {
    attempt = record.attempt();
    floor = attempt;
    storeOf = core.arbitrated ? attempt : -1;
    assignment = record.assignment();
    restarts = record.assignment().restarts();
    roster.excluded().addAll(record.excluded());
    ending = record.ending();
    why = "the leader was lost";
    diagnosis = Losses.leader();
    inheritedUntil = core.now + silence;
    record.voters().forEach(roster::find);
    roster.assign(record.assignment());
    for (Peer peer : roster.assigned()) {
      if (core.gone.contains(Names.id(peer.member))) {
        peer.gone = true;
        diagnosis = Losses.node(peer, record.assignment(), false, timings);
      }
    }
    phase = Phase.STOPPING;
    core.note("leader", core.self.node() + " leads from now on");
    core.broadcast(roster.all(), tell(null));
  }

  long term() {
    return term;
  }

  Phase phase() {
    return phase;
  }

  Roster roster() {
    return roster;
  }

  int attempt() {
    return attempt;
  }

  boolean ended() {
    return phase == Phase.ENDED;
  }

  /** Whether it has had no majority for so long that somebody else should try. */
  boolean shouldResign() {
    return powerlessSince >= 0 && core.now - powerlessSince > silence;
  }

  void resign() {
    if (core.arbitrated) {
      core.claimedUntil = Peer.NEVER;
      core.effects.add(new Effect.Release(Names.id(core.self), term));
    }
    if (storeOf >= 0) {
      core.effects.add(new Effect.CloseStore(storeOf, term));
      storeOf = -1;
    }
  }

  void leave(String reason) {
    resign();
    List<Peer> others =
        roster.all().stream().filter(p -> roster.fresh(p) && !core.isSelf(p.member)).toList();
    core.broadcast(others, new Message.Bye(core.term, reason));
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
    news |= takeEvidence(peer, renew);
    JobRecord.Ending ask = renew.ask();
    if (ask != null) {
      end(ask, timings.endGrace().toMillis());
      news = true;
    }
    if (news) {
      advance();
    }
    JobRecord record = core.record;
    if (record != null
        && peer.held.compareTo(record.version()) < 0
        && core.now - peer.recordSentAt > RECORD_AGAIN) {
      peer.recordSentAt = core.now;
      core.send(from, new Message.Prepare(core.term, core.now, record));
    }
    core.send(from, answer(peer, renew));
  }

  /** Whether there was something new. */
  private boolean takeEvidence(Peer peer, Message.Renew renew) {
    boolean current = renew.attempt() == attempt && peer.assigned;
    int known = peer.evidenceSeen - renew.evidenceFrom();
    if (!current || known < 0 || known >= renew.evidence().size()) {
      return false;
    }
    List<RankEvidence> fresh = renew.evidence().subList(known, renew.evidence().size());
    if (evidence.isEmpty()) {
      firstEvidenceAt = core.now;
    }
    lastEvidenceAt = core.now;
    evidence.addAll(fresh);
    peer.evidenceSeen += fresh.size();
    if (phase == Phase.RUNNING) {
      enter(Phase.COLLECTING);
    }
    return true;
  }

  private Message.Tell answer(Peer peer, Message.Renew renew) {
    if (peer.replaced) {
      return new Message.Tell(
          core.term,
          peer.member.incarnation(),
          renew.sentAt(),
          core.now,
          false,
          attempt,
          0,
          "replaced",
          false,
          -1,
          Version.NONE,
          0,
          new JobRecord.Ending(1, "a newer launcher of " + peer.member.node() + " took its place"));
    }
    return tell(peer)
        .withAnswer(peer.member.incarnation(), renew.sentAt(), granted(peer), peer.evidenceSeen);
  }

  private boolean granted(Peer peer) {
    boolean lease =
        !peer.fenced()
            && !(peer.live && peer.attempt != attempt)
            && phase != Phase.ENDED
            && roster.authority();
    if (lease) {
      peer.mayLiveUntil = core.now + silence;
    }
    return lease;
  }

  /** What the leader wants, of one launcher or of all; grants no lease. */
  private Message.Tell tell(@Nullable Peer peer) {
    boolean running = phase == Phase.RUNNING || phase == Phase.COLLECTING;
    return new Message.Tell(
        core.term,
        -1,
        -1,
        core.now,
        false,
        floor,
        graceMillis,
        why,
        hang,
        running ? attempt : -1,
        core.version(),
        peer == null ? 0 : peer.evidenceSeen,
        phase == Phase.ENDED ? ending : null);
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

  /** Ends the job from outside or because all is done. */
  void end(JobRecord.Ending how, long grace) {
    if (ending != null) {
      return;
    }
    ending = how;
    if (phase == Phase.RUNNING || phase == Phase.COLLECTING) {
      graceMillis = grace;
      stopAll(how.why(), false);
    } else if (phase == Phase.GATHERING) {
      afterAttempt();
    }
  }

  /** Has all ranks of the attempt looked at, where they are. */
  void collectEvidence() {
    if (phase == Phase.RUNNING || phase == Phase.COLLECTING) {
      core.broadcast(roster.assigned(), new Message.Collect(core.term, attempt));
    }
  }

  void tick() {
    if (core.arbitrated && core.now >= claimAt) {
      claimAt = core.now + timings.renew().toMillis();
      core.effects.add(new Effect.Claim(Names.id(core.self), term, term));
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
    callSilent();
    advance();
  }

  /**
   * Says a word to launchers not heard of, some each second: one that was started anew there, or
   * that was cut off, then knows where to go.
   */
  private void callSilent() {
    if (core.now < callAt || core.record == null) {
      return;
    }
    callAt = core.now + timings.renew().toMillis();
    List<String> silent = new ArrayList<>();
    if (!core.setup.first()) {
      silent.add(core.setup.endpoint());
    }
    for (Peer peer : roster.all()) {
      if (!roster.fresh(peer) && !silent.contains(peer.address) && silent.size() < CALLS_MOST) {
        silent.add(peer.address);
      }
    }
    int count = Math.min(CALLS, silent.size());
    List<String> called = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      called.add(silent.get(Math.floorMod(calls++, silent.size())));
    }
    if (!called.isEmpty()) {
      core.effects.add(new Effect.Send(called, tell(null)));
    }
  }

  private void enter(Phase next) {
    phase = next;
    since = core.now;
  }

  /** Does what can be done now. Each step leaves the phase it belongs to, so this ends. */
  private void advance() {
    if (!roster.authority()) {
      return;
    }
    Phase before;
    do {
      before = phase;
      switch (phase) {
        case GATHERING -> gather();
        case OPENING -> open();
        case PREPARING -> prepared();
        case RUNNING -> run();
        case COLLECTING -> collect();
        case STOPPING -> stopping();
        case CLOSING -> closing();
        case ENDING -> ending();
        case ENDED -> {}
      }
    } while (phase != before);
  }

  private void gather() {
    List<Peer> available = roster.available();
    if (enough(available.size())) {
      chosen = roster.pick(available);
      attempt++;
      openTries = 0;
      openAt = core.now;
      enter(Phase.OPENING);
    } else if (core.now - since > timings.join().toMillis()) {
      ending =
          new JobRecord.Ending(
              Setup.NO_QUORUM,
              "only %d of the %d nodes needed came within %d s"
                  .formatted(available.size(), core.setup.min(), timings.join().toSeconds()));
      afterAttempt();
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

  private void open() {
    if (core.now >= openAt) {
      openAt = Long.MAX_VALUE;
      openTries++;
      storeOf = attempt;
      core.effects.add(
          new Effect.OpenStore(
              attempt, term, chosen.stream().map(Member::host).distinct().toList()));
    }
  }

  void storeFailed(int which, String reason, boolean old) {
    if (phase != Phase.OPENING || which != attempt) {
      return;
    }
    storeOf = -1;
    if (old && attempt < MOST_ATTEMPTS) {
      // A leader that was lost with all that knew of it had come further than the record says.
      attempt++;
      restarts += core.record == null ? 0 : 1;
      openAt = core.now;
      return;
    }
    core.note("store", "the store of attempt " + attempt + " could not be opened: " + reason);
    openAt = core.now + OPEN_RETRY;
    if (openTries >= OPEN_TRIES) {
      ending = new JobRecord.Ending(1, "the store could not be opened: " + reason);
      afterAttempt();
    }
  }

  void storeOpened(int which, StoreKeeper.Place place) {
    if (phase != Phase.OPENING || which != attempt) {
      core.effects.add(new Effect.CloseStore(which, term));
      return;
    }
    JobRecord old = core.record;
    List<Member> voters =
        old != null
            ? old.voters()
            : roster.available().stream().map(p -> p.member).sorted(this::voterOrder).toList();
    Assignment next =
        new Assignment(core.setup.job(), attempt, restarts, chosen, place.host(), place.port());
    assignment = next;
    roster.assign(next);
    write(voters, next, null);
    enter(Phase.PREPARING);
    advance();
  }

  /** The first leader first: its vote breaks ties. Then in the order of ranks. */
  private int voterOrder(Member left, Member right) {
    int bySelf = Boolean.compare(core.isSelf(right), core.isSelf(left));
    return bySelf != 0 ? bySelf : Names.RANKS.compare(left, right);
  }

  private void write(List<Member> voters, Assignment of, JobRecord.@Nullable Ending how) {
    Version version =
        new Version(core.term, core.version().index() + 1, voters.getFirst().incarnation());
    JobRecord record = new JobRecord(version, voters, roster.excluded(), decided, of, how);
    core.adopt(record);
    core.leader = core.self;
    roster.weigh();
    Peer self = roster.find(core.self);
    List<Peer> others = new ArrayList<>();
    for (Peer peer : roster.all()) {
      if (roster.fresh(peer)) {
        peer.recordSentAt = core.now;
        if (peer == self) {
          peer.held = record.version();
        } else {
          others.add(peer);
        }
      }
    }
    core.broadcast(others, new Message.Prepare(core.term, core.now, record));
  }

  private void prepared() {
    for (Peer peer : roster.assigned()) {
      boolean done = peer.done && peer.attempt == attempt;
      if (resumed && !done && (peer.clear >= attempt || !roster.fresh(peer))) {
        lost(peer);
        return;
      }
      if (!resumed && !roster.fresh(peer)) {
        core.note("lost", peer.member.node() + " was lost before attempt " + attempt + " began");
        floor = attempt;
        closeStore();
        return;
      }
    }
    JobRecord.Ending end = ending;
    if (end != null && resumed) {
      graceMillis = timings.endGrace().toMillis();
      stopAll(end.why(), false);
    } else if (end != null) {
      floor = attempt;
      closeStore();
    } else if (roster.holds(core.version())) {
      evidence.clear();
      diagnosis = null;
      why = "the attempt is over";
      hang = false;
      floor = attempt - 1;
      graceMillis = timings.grace().toMillis();
      for (Peer peer : roster.assigned()) {
        peer.evidenceSeen = 0;
        peer.done = false;
        peer.activity = List.of();
      }
      resumed = false;
      lookedAt = core.now;
      enter(Phase.RUNNING);
      core.broadcast(roster.assigned(), tell(null));
    }
  }

  private void run() {
    boolean allDone = true;
    for (Peer peer : roster.assigned()) {
      boolean done = peer.done && peer.attempt == attempt;
      allDone &= done;
      boolean idle = peer.attempt != attempt && core.now - since > silence;
      if (!done && (!roster.fresh(peer) || peer.clear >= attempt || idle)) {
        lost(peer);
        return;
      }
    }
    if (allDone) {
      ending = new JobRecord.Ending(0, "all ranks ended well");
      floor = attempt;
      closeStore();
    } else if (core.now - lookedAt >= timings.renew().toMillis()) {
      lookedAt = core.now;
      Optional<Diagnosis> found = core.judge.look(running(), activity());
      if (found.isPresent()) {
        diagnosis = found.get();
        stopAll(diagnosis.what(), diagnosis.kind() == FailureClass.HANG);
      }
    }
  }

  private void lost(Peer peer) {
    Diagnosis found = Losses.node(peer, running(), roster.fresh(peer), timings);
    diagnosis = found;
    if (!peer.gone) {
      core.note("lost", found.what());
    }
    stopAll(found.what(), false);
  }

  private List<RankActivity> activity() {
    List<RankActivity> all = new ArrayList<>();
    for (Peer peer : roster.assigned()) {
      all.addAll(peer.activityHere());
    }
    return all;
  }

  private Assignment running() {
    Assignment current = assignment;
    if (current == null) {
      throw new IllegalStateException("no attempt in " + phase);
    }
    return current;
  }

  private void collect() {
    long window = timings.evidence().toMillis();
    boolean quiet = core.now - firstEvidenceAt >= window && core.now - lastEvidenceAt >= window / 4;
    boolean late = core.now - firstEvidenceAt >= timings.evidenceMost().toMillis();
    boolean complete = evidence.size() + endedWell() >= running().worldSize();
    if (quiet || late || complete) {
      diagnosis = core.judge.diagnose(running(), List.copyOf(evidence));
      stopAll(diagnosis.what(), diagnosis.kind() == FailureClass.HANG);
    }
  }

  private int endedWell() {
    int ended = 0;
    for (Peer peer : roster.assigned()) {
      ended += peer.done ? peer.member.processes() : 0;
    }
    return ended;
  }

  private void stopAll(String reason, boolean forHang) {
    why = reason;
    hang = forHang;
    resumed = false;
    floor = attempt;
    enter(Phase.STOPPING);
    core.broadcast(roster.assigned(), tell(null));
  }

  private void stopping() {
    boolean late = core.now - since > graceMillis + timings.stopLimit().toMillis();
    for (Peer peer : roster.assigned()) {
      if (!clear(peer)) {
        peer.fencedFor = late ? attempt : peer.fencedFor;
        if (core.now <= Math.max(peer.mayLiveUntil, inheritedUntil)) {
          return;
        }
      }
    }
    closeStore();
  }

  private boolean clear(Peer peer) {
    return peer.gone || peer.clear >= attempt;
  }

  private void closeStore() {
    enter(Phase.CLOSING);
    if (storeOf >= 0) {
      core.effects.add(new Effect.CloseStore(storeOf, term));
    }
  }

  void storeClosed(int which) {
    if (which == storeOf) {
      storeOf = -1;
      advance();
    }
  }

  private void closing() {
    if (storeOf >= 0 && core.now - since > CLOSE_LIMIT) {
      core.note("store", "the store of attempt " + storeOf + " did not close in time");
      storeOf = -1;
    }
    if (storeOf < 0) {
      afterAttempt();
    }
  }

  /** Nobody runs: end the job, or see what comes next. */
  private void afterAttempt() {
    List<Peer> unconfirmed =
        diagnosis == null ? List.of() : roster.assigned().stream().filter(p -> !clear(p)).toList();
    for (Peer peer : unconfirmed) {
      core.note(
          "not-confirmed",
          peer.member.node()
              + " did not say that its ranks are gone; its lease ran out and the store is closed");
    }
    Diagnosis found = diagnosis;
    diagnosis = null;
    if (ending == null && found != null) {
      decide(Losses.withSilent(found, unconfirmed, running(), this::silent));
    }
    JobRecord.Ending how = ending;
    if (how == null) {
      enter(Phase.GATHERING);
      return;
    }
    enter(Phase.ENDING);
    JobRecord record = core.record;
    if (record != null) {
      write(record.voters(), record.assignment(), how);
    }
  }

  private boolean silent(Peer peer) {
    return !roster.fresh(peer);
  }

  private void decide(Diagnosis found) {
    int spares = 0;
    for (Peer peer : roster.available()) {
      spares += peer.assigned ? 0 : 1;
    }
    Decision decision = core.judge.decide(running(), found, spares);
    decided = decision.why();
    core.note("decision", decision.why());
    if (decision.choice() == Decision.Choice.STOP) {
      ending = new JobRecord.Ending(decision.exitCode(), decision.why());
      return;
    }
    restarts += decision.counts() ? 1 : 0;
    if (!decision.without().isEmpty()) {
      roster.excluded().add(decision.without());
      if (core.setup.isAlone()) {
        ending = new JobRecord.Ending(1, decision.why() + "; there is no other node");
      }
    }
  }

  private void ending() {
    if (core.record == null || roster.holds(core.version())) {
      enter(Phase.ENDED);
      List<Peer> others =
          roster.all().stream().filter(p -> roster.fresh(p) && !core.isSelf(p.member)).toList();
      core.broadcast(others, tell(null));
    }
  }

  /** When all have heard that the job is over, or had their time: this launcher's own end. */
  Message.@Nullable Tell lastWord() {
    if (phase != Phase.ENDED) {
      return null;
    }
    boolean waits = core.now - since < BYE_LIMIT;
    for (Peer peer : roster.all()) {
      if (waits && roster.fresh(peer) && !core.isSelf(peer.member)) {
        return null;
      }
    }
    return tell(null);
  }
}
