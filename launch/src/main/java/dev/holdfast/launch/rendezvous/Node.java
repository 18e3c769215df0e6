package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One launcher's part in the rendezvous as a state machine: what happened goes in, what is to be
 * done comes out. No thread, no socket and no clock, so that thousands of random schedules with
 * losses, partitions and crashes can be tried in seconds.
 *
 * <p>The protocol in short. One launcher leads a numbered <em>term</em>; the one at the end point
 * leads the first. Members renew a lease every second, counted from the moment the renewal was
 * sent, so clocks need not agree, only run at nearly the same speed. Everything a later leader must
 * know is a <em>record</em>, held by a majority before ranks start. Whoever has had a word from its
 * leader votes for nobody else until lease and margin have passed; a leader acts only while a
 * majority is so bound; a new leader waits out every lease the old one could have granted. So at
 * any time one attempt at most has ranks.
 */
final class Node {
  private final Core core;
  private final Following following;
  private final Candidacy candidacy;
  private @Nullable Leading leading;

  Node(Setup setup, boolean arbitrated, Judge judge, RandomGenerator random, long now) {
    core = new Core(setup, arbitrated, judge, random);
    core.now = now;
    following = new Following(core);
    candidacy = new Candidacy(core, following);
    if (setup.first() && !arbitrated) {
      core.enter(1);
      leading = Leading.inTerm(core);
    }
  }

  /**
   * A launcher whose process was started again: it keeps its word and goes on where it was.
   *
   * @param memory what the earlier one had kept
   * @param reachable whether the others find it where they did; a leader that is not leads no more
   */
  Node(
      Setup setup,
      boolean arbitrated,
      Judge judge,
      RandomGenerator random,
      long now,
      Memory memory,
      boolean reachable) {
    core = new Core(setup, arbitrated, judge, random);
    core.now = now;
    core.resume(memory);
    following = new Following(core, memory);
    candidacy = new Candidacy(core, following);
    Memory.Lead lead = memory.lead;
    JobRecord held = memory.record;
    if (lead != null && reachable) {
      leading = Leading.again(core, lead);
    } else if (lead != null) {
      core.note("leader", "its port is taken: another launcher has to lead");
      following.forgetLeader();
      if (held != null) {
        core.effects.add(new Effect.CloseStore(held.attempt(), core.term));
      }
    }
  }

  List<Effect> on(Input input, long now) {
    core.now = now;
    if (!following.over() || input instanceof Input.Received) {
      take(input);
    }
    settle();
    List<Effect> effects = core.effects;
    core.effects = new ArrayList<>();
    return effects;
  }

  /** What must be kept before the effects of the last input are done. */
  Memory memory() {
    Leading leader = leading;
    return following.memory(leader == null ? null : leader.memory());
  }

  @Nullable JobRecord record() {
    return core.record;
  }

  boolean over() {
    return following.over();
  }

  View view(long now) {
    return View.of(core, following, leading, now);
  }

  private void take(Input input) {
    Leading leader = leading;
    switch (input) {
      case Input.Tick _ -> tick();
      case Input.Received received -> received(received.from(), received.message());
      case Input.Activity activity -> following.activity(activity.ranks());
      case Input.Exited exited -> following.exited(exited.rank());
      case Input.Stopped stopped -> following.stopped(stopped.attempt());
      case Input.Collect _ -> {
        if (leader != null) {
          leader.collectEvidence();
        }
      }
      case Input.EndJob end -> following.endJob(end.exitCode(), end.why());
      case Input.Leave leave -> following.leave(leave.exitCode(), leave.why(), leave.gone());
      case Input.Refused refused -> following.refused(refused.address(), refused.why());
      case Input.Claimed claimed -> claimed(claimed.term(), claimed.askedAt());
      case Input.ClaimRefused refused -> {
        if (leader != null && refused.term() == leader.term()) {
          core.note("leader", "the arbiter has given the job to another launcher");
          abdicate();
        }
        following.hint(Names.addressOf(refused.holder()));
      }
      case Input.StoreOpened opened -> {
        if (leader != null) {
          leader.storeOpened(opened.attempt(), opened.place());
        } else {
          core.effects.add(new Effect.CloseStore(opened.attempt(), core.term));
        }
      }
      case Input.StoreFailed failed -> {
        if (leader != null) {
          leader.storeFailed(failed.attempt(), failed.why(), failed.old());
        }
      }
      case Input.StoreClosed closed -> {
        if (leader != null) {
          leader.storeClosed(closed.attempt());
        }
      }
    }
  }

  /** The arbiter's word: this launcher leads the term, for a lease from when it asked. */
  private void claimed(long term, long askedAt) {
    Leading leader = leading;
    if (leader == null && term > core.term && following.leaderless()) {
      core.enter(term);
      core.claimedUntil = askedAt + core.setup.timings().lease().toMillis();
      leading = Leading.inTerm(core);
    } else if (leader != null && leader.term() == term) {
      core.claimedUntil =
          Math.max(core.claimedUntil, askedAt + core.setup.timings().lease().toMillis());
    } else {
      core.effects.add(new Effect.Release(Names.holder(core.self), term));
    }
  }

  private void tick() {
    following.tick();
    Leading leader = leading;
    if (leader != null) {
      leader.tick();
      if (leader.shouldResign()) {
        abdicate();
      }
    } else if (candidacy.tick()) {
      leading = Leading.inTerm(core);
    }
  }

  /** A leader whose term has passed, however that came about, leads no more. */
  private void abdicateIfPassed() {
    Leading leader = leading;
    if (leader != null && leader.term() != core.term) {
      abdicate();
    }
  }

  private void abdicate() {
    Leading leader = leading;
    if (leader != null) {
      leader.resign();
      leading = null;
      following.forgetLeader();
    }
  }

  /** Delivers what the launcher says to itself until nothing is left to say. */
  private void settle() {
    boolean said = false;
    do {
      abdicateIfPassed();
      following.flush();
      Message message = core.toSelf.poll();
      if (message != null) {
        received(core.self, message);
      }
      Leading leader = leading;
      if (leader != null && !said && core.toSelf.isEmpty() && !following.over()) {
        Message.Tell last = leader.lastWord();
        if (last != null) {
          said = true;
          core.toSelf.add(last);
        }
      }
    } while (!core.toSelf.isEmpty() || following.renewalDue());
    Leading leader = leading;
    if (following.over() && leader != null) {
      if (!leader.ended()) {
        leader.leave("its launcher ended");
      }
      leading = null;
    }
  }

  private void received(Member from, Message message) {
    if (leading != null && message.term() > core.term && !isElection(message)) {
      core.note("leader", from.node() + " knows of a later term: " + core.self.node() + " follows");
      abdicate();
    }
    Leading leader = leading;
    switch (message) {
      case Message.Renew renew -> {
        if (leader != null && core.record == null && !renew.held().equals(Version.NONE)) {
          joinRunning(from);
        } else if (leader != null
            && core.arbitrated
            && renew.held().compareTo(core.version()) > 0) {
          // The arbiter does not know who knows most; whoever does must lead, or tell first.
          core.note("leader", from.node() + " knows more of the job than " + core.self.node());
          abdicate();
          following.hint(Names.address(from));
        } else if (leader != null) {
          leader.heard(from, renew);
        } else if (!following.over()) {
          core.send(from, following.redirect());
        } else {
          core.send(from, new Message.Bye(core.term, "it has ended"));
        }
      }
      case Message.Tell tell -> following.told(from, tell);
      case Message.Prepare prepare -> following.prepare(from, prepare);
      case Message.Canvass canvass -> {
        if (leader == null && !following.over()) {
          candidacy.canvassed(from, canvass);
        }
      }
      case Message.Ballot ballot -> {
        if (leader == null && candidacy.answered(from, ballot)) {
          leading = Leading.inTerm(core);
        }
      }
      case Message.Redirect redirect -> {
        if (leader != null && core.record == null && !redirect.held().equals(Version.NONE)) {
          joinRunning(from);
        } else if (leader == null) {
          following.redirected(from, redirect);
        }
      }
      case Message.Collect collect -> following.collect(from, collect);
      case Message.Bye _ -> {
        if (leader != null) {
          leader.bye(from);
        } else {
          following.bye(from);
        }
      }
    }
  }

  /** Candidates ask for terms that may never be led. */
  private static boolean isElection(Message message) {
    return message instanceof Message.Canvass || message instanceof Message.Ballot;
  }

  /** This launcher was to lead a new job, but the job runs: it joins as any other. */
  private void joinRunning(Member from) {
    core.note("joined", "the job runs already; this launcher joins it");
    abdicate();
    following.hint(Names.address(from));
  }
}
