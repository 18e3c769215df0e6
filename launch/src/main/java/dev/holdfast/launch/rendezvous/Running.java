package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.RankActivity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Does the attempt go well? Until all ranks ended well, a node is lost, the judge finds something,
 * or ranks fail; then failures that belong together are waited for a moment.
 */
final class Running {
  private final Core core;
  private final Roster roster;
  private final Course course;
  private final Words words;
  private final Stopping stopping;
  private final Timings timings;
  private final List<RankEvidence> evidence = new ArrayList<>();
  private long firstEvidenceAt;
  private long lastEvidenceAt;
  private long lookedAt;

  Running(Core core, Roster roster, Course course, Words words, Stopping stopping) {
    this.core = core;
    this.roster = roster;
    this.course = course;
    this.words = words;
    this.stopping = stopping;
    timings = core.setup.timings();
  }

  void begin() {
    evidence.clear();
    course.diagnosis = null;
    course.why = "the attempt is over";
    course.hang = false;
    course.floor = course.attempt - 1;
    course.graceMillis = timings.grace().toMillis();
    for (Peer peer : roster.assigned()) {
      peer.evidenceSeen = 0;
      peer.done = false;
      peer.activity = List.of();
    }
    course.resumed = false;
    lookedAt = core.now;
    course.enter(Phase.RUNNING);
    core.broadcast(roster.assigned(), words.tell(null));
  }

  void run() {
    boolean allDone = true;
    for (Peer peer : roster.assigned()) {
      boolean done = peer.done && peer.attempt == course.attempt;
      allDone &= done;
      boolean idle =
          peer.attempt != course.attempt && core.now - course.since > timings.silenceMillis();
      if (!done && (!roster.fresh(peer) || peer.clear >= course.attempt || idle)) {
        lost(peer);
        return;
      }
    }
    if (allDone) {
      course.ending = new JobRecord.Ending(0, "all ranks ended well");
      stopping.beginWithoutRanks();
    } else if (core.now - lookedAt >= timings.renew().toMillis()) {
      lookedAt = core.now;
      Optional<Diagnosis> found = core.judge.look(course.running(), activity());
      found.ifPresent(this::interrupt);
    }
  }

  private void interrupt(Diagnosis found) {
    course.diagnosis = found;
    stopping.begin(found.what(), found.kind() == FailureClass.HANG);
  }

  void lost(Peer peer) {
    Diagnosis found = Losses.node(peer, course.running(), roster.fresh(peer), timings);
    course.diagnosis = found;
    if (!peer.gone) {
      core.note("lost", found.what());
    }
    stopping.begin(found.what(), false);
  }

  private List<RankActivity> activity() {
    List<RankActivity> all = new ArrayList<>();
    for (Peer peer : roster.assigned()) {
      all.addAll(peer.activityHere());
    }
    return all;
  }

  /** Whether a renewal tells of failures not known. */
  boolean takeEvidence(Peer peer, Message.Renew renew) {
    boolean current = renew.attempt() == course.attempt && peer.assigned;
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
    if (course.phase == Phase.RUNNING) {
      course.enter(Phase.COLLECTING);
    }
    return true;
  }

  void collect() {
    long window = timings.evidence().toMillis();
    boolean quiet = core.now - firstEvidenceAt >= window && core.now - lastEvidenceAt >= window / 4;
    boolean late = core.now - firstEvidenceAt >= timings.evidenceMost().toMillis();
    boolean complete = evidence.size() + endedWell() >= course.running().worldSize();
    boolean clear = evidence.stream().anyMatch(RankEvidence::byItself);
    if (quiet || late || complete || clear) {
      interrupt(core.judge.diagnose(course.running(), List.copyOf(evidence)));
    }
  }

  private int endedWell() {
    int ended = 0;
    for (Peer peer : roster.assigned()) {
      ended += peer.done ? peer.member.processes() : 0;
    }
    return ended;
  }
}
