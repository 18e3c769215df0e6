package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Member;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How launchers that lost their leader choose another one, after Raft: a voter votes once a term,
 * for nobody whose record is older than its own, and not while it may still owe its word to a
 * leader. A trial vote comes first, so that a launcher cut off from the others does not come back
 * with a term that unseats a leader who serves well. The first ranks try first, the others later,
 * so that votes rarely split.
 */
final class Candidacy {
  private static final long ROUND = 1500;
  private static final int EAGER = 8;

  private final Core core;
  private final Following following;
  private final Set<String> granted = new HashSet<>();
  private boolean asking;
  private boolean trial;
  private long wanted;
  private long endsAt;
  private long nextAt = -1;

  Candidacy(Core core, Following following) {
    this.core = core;
    this.following = following;
  }

  /** Whether it is elected by its own vote. */
  boolean tick() {
    JobRecord record = core.record;
    int place = core.quorum.place(core.self);
    if (core.arbitrated) {
      askArbiter(record);
      return false;
    }
    if (record == null || place < 0 || !following.leaderless()) {
      asking = false;
      nextAt = -1;
      return false;
    }
    if (nextAt < 0) {
      nextAt = core.now + stagger(place);
    }
    if (asking && core.now >= endsAt) {
      asking = false;
      nextAt = core.now + 300 + core.random.nextLong(2 * ROUND);
    }
    if (!asking && core.now >= nextAt) {
      ask(record, true, core.term + 1);
      return wins();
    }
    return false;
  }

  /**
   * With an arbiter: first asks the others for a newer record, then claims the job. The first
   * launcher claims it to begin.
   */
  private void askArbiter(@Nullable JobRecord record) {
    if (!following.leaderless() || (record == null && !core.setup.first())) {
      asking = false;
      nextAt = -1;
    } else if (nextAt < 0) {
      nextAt = core.now + (record == null ? 0 : stagger(Math.max(0, core.quorum.place(core.self))));
    } else if (asking && core.now >= endsAt) {
      asking = false;
      claim();
    } else if (!asking && core.now >= nextAt) {
      if (record == null) {
        claim();
      } else {
        ask(record, true, core.term + 1);
      }
    }
  }

  private void claim() {
    nextAt = core.now + ROUND + core.random.nextLong(ROUND);
    core.effects.add(new Effect.Claim(Names.holder(core.self), 0, core.term + 1));
  }

  private long stagger(int place) {
    return place < EAGER
        ? place * 400L
        : EAGER * 400L + Math.min((place - EAGER) * 25L, 20_000) + core.random.nextLong(100);
  }

  private void ask(JobRecord record, boolean asTrial, long term) {
    asking = true;
    trial = asTrial;
    wanted = term;
    endsAt = core.now + ROUND;
    granted.clear();
    granted.add(Names.id(core.self));
    List<String> others =
        record.voters().stream().filter(v -> !core.isSelf(v)).map(Names::address).toList();
    if (!others.isEmpty()) {
      core.effects.add(new Effect.Send(others, new Message.Canvass(term, asTrial, core.version())));
    }
  }

  private boolean wins() {
    JobRecord record = core.record;
    if (record == null || !core.quorum.reached(granted)) {
      return false;
    }
    if (trial) {
      core.enter(wanted);
      core.votedFor = Names.id(core.self);
      ask(record, false, wanted);
      return wins();
    }
    asking = false;
    nextAt = -1;
    return true;
  }

  void canvassed(Member from, Message.Canvass canvass) {
    boolean free =
        (canvass.trial() || canvass.term() > core.term)
            ? canvass.term() > core.term
            : canvass.term() == core.term
                && core.leader == null
                && (core.votedFor.isEmpty() || core.votedFor.equals(Names.id(from)));
    boolean newEnough = canvass.held().compareTo(core.version()) >= 0;
    boolean grant = free && newEnough && following.leaderless();
    if (grant && !canvass.trial()) {
      core.enter(canvass.term());
      core.votedFor = Names.id(from);
    }
    if (grant) {
      nextAt = core.now + ROUND + core.random.nextLong(ROUND);
    }
    @Nullable JobRecord newer = canvass.held().compareTo(core.version()) < 0 ? core.record : null;
    core.send(from, new Message.Ballot(canvass.term(), canvass.trial(), grant, core.term, newer));
  }

  /** Whether this vote was the one that elects. */
  boolean answered(Member from, Message.Ballot ballot) {
    JobRecord newer = ballot.record();
    if (newer != null && newer.version().compareTo(core.version()) > 0) {
      core.adopt(newer);
      asking = false;
      nextAt = core.now + core.random.nextLong(ROUND / 3);
    }
    if (!ballot.granted() && ballot.voterTerm() > core.term && following.leaderless()) {
      core.enter(ballot.voterTerm());
      asking = false;
      nextAt = core.now + core.random.nextLong(ROUND);
    }
    if (!asking
        || ballot.term() != wanted
        || ballot.trial() != trial
        || !ballot.granted()
        || (!trial && (core.term != wanted || !core.votedFor.equals(Names.id(core.self))))
        || !following.leaderless()) {
      return false;
    }
    granted.add(Names.id(from));
    return !core.arbitrated && wins();
  }
}
