package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.job.RankActivity;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What every launcher does, the leader's included: renew the lease, hold the record, start and stop
 * the ranks of its node, tell how they end.
 *
 * <p>Ranks are started only under a lease and end with it.
 */
final class Following {
  private final Core core;
  private final Search search;
  private final Allegiance allegiance;
  private final OwnLease lease;
  private final OwnRanks ranks;
  private final Farewell farewell;
  private long renewAt;
  private boolean renewNow = true;

  Following(Core core) {
    this.core = core;
    search = new Search(core.setup);
    allegiance = new Allegiance(core);
    lease = new OwnLease(core);
    ranks = new OwnRanks(core);
    farewell = new Farewell(core);
  }

  /**
   * With the promises of an earlier process of this launcher: it may have had a word from its
   * leader a moment before it ended, and its ranks may have the lease that came with it.
   */
  Following(Core core, Memory memory) {
    this(core);
    allegiance.resume();
    lease.resume();
    ranks.resume(memory);
  }

  Memory memory(Memory.@Nullable Lead lead) {
    return new Memory(
        core.self,
        core.term,
        core.votedFor,
        core.leader,
        core.record,
        ranks.attempt(),
        ranks.live(),
        ranks.floor(),
        lead);
  }

  boolean over() {
    return farewell.over();
  }

  /** Whether nobody can count on this launcher's promise to its leader any more. */
  boolean leaderless() {
    return allegiance.leaderless();
  }

  long leaseUntil() {
    return lease.until();
  }

  void tick() {
    if (over()) {
      return;
    }
    lease.tick();
    if (ranks.unstopped() && lease.ranOut()) {
      long seconds = core.setup.timings().lease().toSeconds();
      core.note("lease-lost", "no word from the leader for " + seconds + " s: ranks end");
      ranks.stop(Duration.ZERO, "the lease ran out", false);
    }
    if (core.now >= renewAt) {
      renewNow = true;
    }
    JobRecord.Ending hopeless = farewell.hopeless(lease, leaderless());
    if (hopeless != null) {
      leave(hopeless.exitCode(), hopeless.why(), false);
    }
  }

  boolean renewalDue() {
    return renewNow && !over();
  }

  /** Sends the renewal that is due, if one is. */
  void flush() {
    if (!renewalDue()) {
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
    return ranks.renewal(allegiance.stamp(), farewell.ask());
  }

  /** Whether this leader's word counts; then it is the one to follow. */
  private boolean follow(Member from, long term, long stamp, Version record) {
    if (over()) {
      core.send(from, new Message.Bye(core.term, "it has ended"));
      return false;
    }
    Allegiance.Word word = allegiance.hear(from, term, stamp, record);
    if (word == Allegiance.Word.NEW_LEADER) {
      ranks.seen(0);
    }
    renewNow |= word == Allegiance.Word.NEW_LEADER || word == Allegiance.Word.FIRST;
    return word != Allegiance.Word.VOID;
  }

  void told(Member from, Message.Tell tell) {
    boolean forAnother = tell.to() >= 0 && tell.to() != core.self.incarnation();
    if (forAnother || !follow(from, tell.term(), tell.stamp(), tell.record())) {
      return;
    }
    if (tell.lease() && lease.granted(tell.sentAt()) && ranks.live()) {
      lease.extend();
    }
    if (tell.run() == ranks.attempt()) {
      ranks.seen(tell.evidenceSeen());
    }
    if (tell.step() >= 0 && !core.isSelf(from)) {
      core.judge.stepped(tell.run(), tell.step());
    }
    renewNow |= ranks.over(tell.floor());
    JobRecord.Ending end = tell.ending();
    if (end != null && !farewell.decided()) {
      farewell.decide(end);
      if (!ranks.live() || ranks.done()) {
        farewell.finish();
        return;
      }
    }
    if (ranks.unstopped() && (ranks.attempt() <= ranks.floor() || farewell.decided())) {
      ranks.stop(Duration.ofMillis(tell.graceMillis()), tell.why(), tell.hang());
    }
    if (!ranks.live() && tell.run() > ranks.floor() && !farewell.decided()) {
      start(tell);
    }
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
    if (lease.holds()) {
      renewNow = true;
      ranks.start(assignment);
      lease.extend();
      core.effects.add(new Effect.Start(assignment));
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
    if (counts && ranks.unstopped() && collect.attempt() == ranks.attempt()) {
      core.effects.add(new Effect.Collect());
    }
  }

  Message.Redirect redirect() {
    return allegiance.redirect();
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

  void stopped(int attempt) {
    if (ranks.stopped(attempt)) {
      renewNow = true;
      farewell.finish();
    }
  }

  void exited(RankEvidence rank) {
    renewNow |= ranks.exited(rank);
  }

  void activity(List<RankActivity> seen) {
    ranks.activity(seen);
  }

  void endJob(int exitCode, String why) {
    renewNow |= farewell.asked(exitCode, why);
  }

  void leave(int exitCode, String why, boolean gone) {
    farewell.decide(new JobRecord.Ending(exitCode, why));
    if (gone) {
      ranks.gone();
    }
    if (!ranks.live()) {
      farewell.finish();
    } else if (ranks.unstopped()) {
      ranks.stop(core.setup.timings().endGrace(), why, false);
    }
  }

  void refused(String address, String why) {
    farewell.refused(address, why);
  }

  void bye(Member from) {
    if (core.quorum.place(from) >= 0) {
      core.gone.add(Names.id(from));
    }
    if (core.leader != null && Names.same(core.leader, from)) {
      allegiance.forget();
    }
  }

  /** From now on it follows nobody and may vote. */
  void forgetLeader() {
    allegiance.forget();
  }

  /** Somebody there may know more. */
  void hint(String address) {
    if (!address.isEmpty()) {
      search.hint(address);
    }
  }
}
