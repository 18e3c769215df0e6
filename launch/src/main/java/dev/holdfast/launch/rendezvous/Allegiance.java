package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Member;

/**
 * Whose word counts for this launcher? Once it has had one it votes for nobody else until the lease
 * and the margin have passed since.
 */
final class Allegiance {
  /** What somebody's word is worth. */
  enum Word {
    /** It does not count; who said so was told who leads. */
    VOID,
    /** Of the leader it has followed before. */
    USUAL,
    /** The first one of that leader that this process has heard. */
    FIRST,
    /** Of another leader than before. */
    NEW_LEADER
  }

  private final Core core;
  private long toldAt = Peer.NEVER;
  private long stamp = -1;

  Allegiance(Core core) {
    this.core = core;
  }

  /** An earlier process of this launcher may have had a word a moment before it ended. */
  void resume() {
    toldAt = core.now;
  }

  /** Whether nobody can count on this launcher's promise to its leader any more. */
  boolean leaderless() {
    return core.now - toldAt > core.setup.timings().silenceMillis();
  }

  /** Of the last word of the leader, −1: none yet. */
  long stamp() {
    return stamp;
  }

  /** Takes in that somebody speaks as a leader; if that counts, it is the one to follow. */
  Word hear(Member from, long term, long itsStamp, Version itsRecord) {
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
      return Word.VOID;
    }
    Word word = stamp < 0 ? Word.FIRST : Word.USUAL;
    if (term > core.term || other) {
      core.enter(term);
      core.leader = from;
      stamp = -1;
      word = Word.NEW_LEADER;
    }
    toldAt = core.now;
    stamp = Math.max(stamp, itsStamp);
    return word;
  }

  Message.Redirect redirect() {
    return new Message.Redirect(core.term, core.version(), leaderless() ? null : core.leader);
  }

  /** From now on it follows nobody and may vote. */
  void forget() {
    core.leader = null;
    toldAt = Peer.NEVER;
    stamp = -1;
  }
}
