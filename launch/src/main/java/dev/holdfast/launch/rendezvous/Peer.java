package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.job.RankActivity;
import java.util.List;

/** What a leader knows of one launcher, itself included. Times are by the leader's clock. */
final class Peer {
  static final long NEVER = Long.MIN_VALUE / 2;

  Member member;
  String address;

  /** How much its word counts; 0: it does not vote. */
  int votes;

  /** Whether it takes part in the newest attempt. */
  boolean assigned;

  long heardAt = NEVER;

  /** The latest of the leader's stamps it has seen. */
  long stamp = NEVER;

  /** Until when ranks may live there because of what this leader granted. */
  long mayLiveUntil = NEVER;

  Version held = Version.NONE;
  long recordSentAt = NEVER;
  int attempt = -1;
  boolean live;
  int clear = -1;
  boolean done;
  int evidenceSeen;
  List<RankActivity> activity = List.of();
  private final ClockOffset clock = new ClockOffset();

  /** The attempt whose ranks it would not end in time; no lease until it did. −1: none. */
  int fencedFor = -1;

  /** It went, and said that no rank is left. */
  boolean gone;

  /** A newer launcher runs on its node. */
  boolean replaced;

  Peer(Member member) {
    this.member = member;
    address = Names.address(member);
  }

  boolean fenced() {
    return clear < fencedFor;
  }

  boolean fresh(long now, long silence) {
    return !gone && !replaced && now - heardAt <= silence;
  }

  /** The same launcher, reached elsewhere since it was started again. */
  void moved(Member now) {
    if (now.port() != member.port() || !now.host().equals(member.host())) {
      member = now;
      address = Names.address(now);
    }
  }

  /** Takes in all a renewal says but the failures; whether something may follow from it. */
  boolean heard(Message.Renew renew, long term, long now) {
    boolean news =
        heardAt == NEVER
            || gone
            || live != renew.live()
            || clear != renew.clear()
            || done != renew.done()
            || !held.equals(renew.held());
    heardAt = now;
    clock.heard(renew.sentAt(), now);
    gone = false;
    held = renew.held();
    if (attempt != renew.attempt()) {
      evidenceSeen = 0;
      activity = List.of();
    }
    attempt = renew.attempt();
    live = renew.live();
    clear = renew.clear();
    done = renew.done();
    if (renew.term() == term && renew.stamp() >= 0) {
      stamp = Math.max(stamp, renew.stamp());
    }
    List<RankActivity> ranks = renew.activity();
    if (ranks != null) {
      activity = ranks;
    }
    return news;
  }

  /** How its ranks are, its times by the leader's clock. */
  List<RankActivity> activityHere() {
    double ahead = clock.seconds();
    return activity.stream().map(rank -> rank.shifted(ahead)).toList();
  }
}
