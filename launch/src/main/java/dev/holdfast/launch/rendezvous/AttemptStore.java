package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Member;
import java.util.List;

/** Is the store of the attempt open, and is the one before closed? Asked for, tried again. */
final class AttemptStore {
  private static final long CLOSE_LIMIT = 10_000;
  private static final long OPEN_RETRY = 1_000;
  private static final int OPEN_TRIES = 3;

  private final Core core;
  private final long term;

  /** The attempt whose store may be open, −1: none. */
  private int of;

  private int tries;
  private long openAt;

  AttemptStore(Core core) {
    this.core = core;
    term = core.term;
    of = -1;
  }

  /** What an earlier leader, or an earlier process, opened and this one can close. */
  void found(int attempt) {
    of = attempt;
  }

  /** From now on one is wanted. */
  void want() {
    tries = 0;
    openAt = core.now;
  }

  /** There was one of that number before; none was opened. */
  void forget() {
    of = -1;
  }

  void open(int attempt, List<Member> members) {
    if (core.now >= openAt) {
      openAt = Long.MAX_VALUE;
      tries++;
      of = attempt;
      core.effects.add(
          new Effect.OpenStore(
              attempt, term, members.stream().map(Member::host).distinct().toList()));
    }
  }

  /** Whether to give up, after it failed some times. */
  boolean failed(int attempt, String reason) {
    of = -1;
    core.note("store", "the store of attempt " + attempt + " could not be opened: " + reason);
    openAt = core.now + OPEN_RETRY;
    return tries >= OPEN_TRIES;
  }

  /** Closes one that nobody waits for any more. */
  void closeStray(int attempt) {
    core.effects.add(new Effect.CloseStore(attempt, term));
  }

  void close() {
    if (of >= 0) {
      core.effects.add(new Effect.CloseStore(of, term));
    }
  }

  /** Closes it, and does not ask what came of it. */
  void abandon() {
    close();
    of = -1;
  }

  /** Whether that is the one that was waited for. */
  boolean closed(int attempt) {
    boolean mine = attempt == of;
    of = mine ? -1 : of;
    return mine;
  }

  /** Whether none is open, or the one that is took too long to close since then. */
  boolean isClosed(long since) {
    if (of >= 0 && core.now - since > CLOSE_LIMIT) {
      core.note("store", "the store of attempt " + of + " did not close in time");
      of = -1;
    }
    return of < 0;
  }
}
