package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.job.RankActivity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What every launcher does, the leader's included: renew the lease, hold the record, start and stop
 * the ranks of its node, tell how they end.
 *
 * <p>Ranks are started only under a lease and end with it. A launcher that has had a word from its
 * leader votes for nobody else until the lease and the margin have passed since.
 */
final class Following {
  private static final int MOST_EVIDENCE = 256;

  private final Core core;
  private final Search search;
  private final long lease;

  private long toldAt = Peer.NEVER;
  private long leaseUntil = Peer.NEVER;

  /** How long a process that was started again lets ranks live under a lease it cannot know. */
  private long resumedUntil = Peer.NEVER;

  private long stamp = -1;
  private long renewAt;
  private boolean renewNow = true;
  private long tickedAt;
  private long withoutLease;

  private int attempt = -1;
  private boolean live;
  private boolean stopping;
  private int floor = -1;
  private final Set<Integer> endedWell = new HashSet<>();
  private final List<RankEvidence> evidence = new ArrayList<>();
  private int evidenceSeen;
  private @Nullable List<RankActivity> activity;

  private JobRecord.@Nullable Ending ask;
  private long askedAt;
  private JobRecord.@Nullable Ending ending;
  private boolean over;
  private String refusal = "";

  Following(Core core) {
    this.core = core;
    search = new Search(core.setup);
    tickedAt = core.now;
    lease = core.setup.timings().lease().toMillis();
  }

  /**
   * With the promises of an earlier process of this launcher: it may have had a word from its
   * leader a moment before it ended, and its ranks may have the lease that came with it.
   */
  Following(Core core, Memory memory) {
    this(core);
    toldAt = core.now;
    resumedUntil = core.now + lease;
    attempt = memory.attempt;
    live = memory.live;
    floor = memory.floor;
    if (live && floor >= attempt) {
      stop(core.setup.timings().grace(), "ranks were ending", false);
    }
  }

  Memory memory(Memory.@Nullable Lead lead) {
    return new Memory(
        core.self, core.term, core.votedFor, core.leader, core.record, attempt, live, floor, lead);
  }

  boolean over() {
    return over;
  }

  /** Whether nobody can count on this launcher's promise to its leader any more. */
  boolean leaderless() {
    return core.now - toldAt > core.setup.timings().silenceMillis();
  }

  long leaseUntil() {
    return leaseUntil;
  }

  int liveAttempt() {
    return live ? attempt : -1;
  }

  void tick() {
    if (over) {
      return;
    }
    // A launcher that was itself stopped for a while has not been waiting meanwhile.
    withoutLease = core.now > leaseUntil ? withoutLease + Math.min(core.now - tickedAt, 1000) : 0;
    tickedAt = core.now;
    boolean expired = core.now > Math.max(leaseUntil, resumedUntil);
    if (live && !stopping && !core.setup.isAlone() && expired) {
      core.note("lease-lost", "no word from the leader for " + lease / 1000 + " s: ranks end");
      stop(Duration.ZERO, "the lease ran out", false);
    }
    if (core.now >= renewAt) {
      renewNow = true;
    }
    giveUpIfHopeless();
  }

  boolean renewalDue() {
    return renewNow && !over;
  }

  /** Sends the renewal that is due, if one is. */
  void flush() {
    if (!renewNow || over) {
      return;
    }
    renewNow = false;
    long period = core.setup.timings().renew().toMillis();
    renewAt = core.now + period - core.random.nextLong(period / 8 + 1);
    Message.Renew renew = renewal();
    Member leader = core.leader;
    if (leader != null) {
      core.send(leader, renew);
    }
    if (leader == null || leaderless()) {
      search.next(core.record).forEach(address -> core.send(address, renew));
    }
  }

  private Message.Renew renewal() {
    List<RankActivity> ranks = activity;
    activity = null;
    int seen = Math.min(evidenceSeen, evidence.size());
    return new Message.Renew(
        core.term,
        core.now,
        stamp,
        core.version(),
        attempt,
        live,
        live ? Math.min(floor, attempt - 1) : floor,
        done(),
        seen,
        List.copyOf(evidence.subList(seen, evidence.size())),
        live ? ranks : null,
        ask);
  }

  private boolean done() {
    return live && evidence.isEmpty() && endedWell.size() >= core.self.processes();
  }

  void told(Member from, Message.Tell tell) {
    boolean forAnother = tell.to() >= 0 && tell.to() != core.self.incarnation();
    if (forAnother || !follow(from, tell.term(), tell.stamp(), tell.record())) {
      return;
    }
    if (tell.lease() && tell.sentAt() + lease > leaseUntil) {
      leaseUntil = tell.sentAt() + lease;
      if (live) {
        extend();
      }
    }
    if (tell.run() == attempt) {
      // A leader that was started again has forgotten; what it knows twice does no harm.
      evidenceSeen = tell.evidenceSeen();
    }
    if (tell.floor() > floor) {
      floor = tell.floor();
      renewNow = true;
    }
    JobRecord.Ending end = tell.ending();
    if (end != null && ending == null) {
      ending = end;
      if (!live || done()) {
        finish();
        return;
      }
    }
    if (live && !stopping && (attempt <= floor || ending != null)) {
      stop(Duration.ofMillis(tell.graceMillis()), tell.why(), tell.hang());
    }
    if (!live && tell.run() > floor && ending == null) {
      start(tell);
    }
  }

  void prepare(Member from, Message.Prepare prepare) {
    if (follow(from, prepare.term(), prepare.stamp(), prepare.record().version())) {
      core.adopt(prepare.record());
      core.leader = from;
      renewNow = true;
    }
  }

  void collect(Member from, Message.Collect collect) {
    Member leader = core.leader;
    boolean counts = leader != null && Names.same(leader, from) && collect.term() == core.term;
    if (counts && live && !stopping && collect.attempt() == attempt) {
      core.effects.add(new Effect.Collect());
    }
  }

  /** Whether this leader's word counts; then it is the one to follow. */
  private boolean follow(Member from, long term, long itsStamp, Version itsRecord) {
    if (over) {
      core.send(from, new Message.Bye(core.term, "it has ended"));
      return false;
    }
    Member leader = core.leader;
    boolean other = leader == null || !Names.same(leader, from);
    boolean begins = core.record == null && leaderless();
    // Nothing that an earlier first leader began can go on: its successor may start over.
    boolean anew = leaderless() && itsRecord.compareTo(core.version()) > 0;
    boolean foreign =
        (core.record != null && !core.arbitrated && core.quorum.place(from) < 0 && other && !anew)
            || (term == core.term && leader != null && other && !begins && !anew);
    if (term < core.term || foreign) {
      core.send(from, redirect());
      return false;
    }
    if (term > core.term || other) {
      core.enter(term);
      core.leader = from;
      stamp = -1;
      evidenceSeen = 0;
      renewNow = true;
    }
    toldAt = core.now;
    renewNow |= stamp < 0;
    stamp = Math.max(stamp, itsStamp);
    return true;
  }

  Message.Redirect redirect() {
    return new Message.Redirect(core.term, core.version(), leaderless() ? null : core.leader);
  }

  private void start(Message.Tell tell) {
    JobRecord record = core.record;
    if (record == null || !record.version().equals(tell.record())) {
      return;
    }
    Assignment assignment = record.assignment();
    if (assignment.attempt() != tell.run()
        || assignment.members().stream().noneMatch(core::isSelf)) {
      return;
    }
    renewNow |= tell.sentAt() < 0;
    if (core.now <= leaseUntil) {
      renewNow = true;
      attempt = tell.run();
      live = true;
      stopping = false;
      endedWell.clear();
      evidence.clear();
      evidenceSeen = 0;
      activity = null;
      extend();
      core.effects.add(new Effect.Start(assignment));
    }
  }

  private void extend() {
    if (!core.setup.isAlone()) {
      core.effects.add(new Effect.Lease(leaseUntil));
    }
  }

  private void stop(Duration grace, String why, boolean hang) {
    stopping = true;
    floor = Math.max(floor, attempt);
    core.effects.add(new Effect.Stop(attempt, grace, why, hang));
  }

  void stopped(int which) {
    if (live && which == attempt) {
      live = false;
      stopping = false;
      floor = Math.max(floor, attempt);
      renewNow = true;
      if (ending != null) {
        finish();
      }
    }
  }

  void exited(RankEvidence rank) {
    if (!live) {
      return;
    }
    if (rank.exitCode() == 0 && rank.signal() == 0) {
      endedWell.add(rank.rank());
      renewNow |= done();
    } else if (!rank.stoppedByUs() && !stopping && evidence.size() < MOST_EVIDENCE) {
      evidence.add(rank);
      renewNow = true;
    }
  }

  void activity(List<RankActivity> ranks) {
    activity = ranks;
  }

  void endJob(int exitCode, String why) {
    if (ask == null) {
      ask = new JobRecord.Ending(exitCode, why);
      askedAt = core.now;
      renewNow = true;
    }
  }

  void leave(int exitCode, String why, boolean gone) {
    ending = new JobRecord.Ending(exitCode, why);
    if (gone) {
      live = false;
      floor = Math.max(floor, attempt);
    }
    if (!live) {
      finish();
    } else if (!stopping) {
      stop(core.setup.timings().endGrace(), why, false);
    }
  }

  void redirected(Member from, Message.Redirect redirect) {
    if (!leaderless()) {
      return;
    }
    core.enter(redirect.term());
    Member leader = redirect.leader();
    search.hint(Names.address(from));
    if (leader != null && !core.isSelf(leader)) {
      search.hint(Names.address(leader));
      core.send(leader, renewal());
    }
  }

  void refused(String address, String why) {
    if (!refusal.equals(why)) {
      refusal = why;
      core.note("refused", address + " refuses this launcher: " + why);
    }
  }

  void bye(Member from) {
    if (core.quorum.place(from) >= 0) {
      core.gone.add(Names.id(from));
    }
    if (core.leader != null && Names.same(core.leader, from)) {
      forgetLeader();
    }
  }

  /** From now on it follows nobody and may vote. */
  void forgetLeader() {
    core.leader = null;
    toldAt = Peer.NEVER;
    stamp = -1;
  }

  void hint(Member other) {
    search.hint(Names.address(other));
  }

  private void giveUpIfHopeless() {
    Timings timings = core.setup.timings();
    boolean never = Math.max(leaseUntil, resumedUntil) == Peer.NEVER;
    long patience = (never ? timings.join() : timings.rejoin()).toMillis();
    JobRecord.Ending asked = ask;
    long askPatience = timings.endGrace().plus(timings.stopLimit()).toMillis() + 2 * lease;
    if (asked != null
        && ((core.now > leaseUntil && leaderless()) || core.now > askedAt + askPatience)) {
      giveUp(asked);
    } else if (withoutLease > patience && !core.setup.isAlone()) {
      JobRecord record = core.record;
      JobRecord.Ending told = record == null ? null : record.ending();
      String why =
          never
              ? "no leader answered at "
                  + core.setup.endpoint()
                  + " within "
                  + patience / 1000
                  + " s"
                  + (refusal.isEmpty()
                      ? "; check --rdzv-endpoint and that the first launcher runs"
                      : ": " + refusal)
              : "no majority of the job's launchers could be reached for "
                  + patience / 1000
                  + " s; look at the network and at the other launchers";
      giveUp(told != null ? told : new JobRecord.Ending(Setup.NO_QUORUM, why));
    }
  }

  private void giveUp(JobRecord.Ending how) {
    if (ending == null) {
      leave(how.exitCode(), how.why(), false);
    }
  }

  private void finish() {
    JobRecord.Ending how = ending;
    if (over || how == null) {
      return;
    }
    over = true;
    Member leader = core.leader;
    if (leader != null && !core.isSelf(leader)) {
      core.send(leader, new Message.Bye(core.term, how.why()));
    }
    core.effects.add(new Effect.Finish(how.exitCode(), how.why()));
  }
}
