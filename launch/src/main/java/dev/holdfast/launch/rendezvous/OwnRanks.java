package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.RankActivity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which ranks does this node have, how are they, and which must it never start again? */
final class OwnRanks {
  private static final int MOST_EVIDENCE = 256;

  private final Core core;

  /** The last attempt started here, −1: none. */
  private int attempt = -1;

  private boolean live;
  private boolean stopping;

  /** All attempts up to this one are over. */
  private int floor = -1;

  private final Set<Integer> endedWell = new HashSet<>();
  private final List<RankEvidence> evidence = new ArrayList<>();
  private int evidenceSeen;
  private @Nullable List<RankActivity> activity;

  OwnRanks(Core core) {
    this.core = core;
  }

  void resume(Memory memory) {
    attempt = memory.attempt;
    live = memory.live;
    floor = memory.floor;
    if (live && floor >= attempt) {
      stop(core.setup.timings().grace(), "ranks were ending", false);
    }
  }

  int attempt() {
    return attempt;
  }

  /** Whether ranks of the attempt may be there. */
  boolean live() {
    return live;
  }

  /** Whether they are there and nobody has asked them to end. */
  boolean unstopped() {
    return live && !stopping;
  }

  int floor() {
    return floor;
  }

  /** Whether that was news. */
  boolean over(int upTo) {
    boolean news = upTo > floor;
    floor = Math.max(floor, upTo);
    return news;
  }

  /** Whether all ended well. */
  boolean done() {
    return live && evidence.isEmpty() && endedWell.size() >= core.self.processes();
  }

  void start(Assignment assignment) {
    attempt = assignment.attempt();
    live = true;
    stopping = false;
    endedWell.clear();
    evidence.clear();
    evidenceSeen = 0;
    activity = null;
  }

  void stop(Duration grace, String why, boolean hang) {
    stopping = true;
    floor = Math.max(floor, attempt);
    core.effects.add(new Effect.Stop(attempt, grace, why, hang));
  }

  /** No rank of the attempt is left; whether that was news. */
  boolean stopped(int which) {
    if (!live || which != attempt) {
      return false;
    }
    gone();
    stopping = false;
    return true;
  }

  void gone() {
    live = false;
    floor = Math.max(floor, attempt);
  }

  /** Takes in how a rank ended; whether the leader must know at once. */
  boolean exited(RankEvidence rank) {
    if (!live) {
      return false;
    }
    if (rank.exitCode() == 0 && rank.signal() == 0) {
      endedWell.add(rank.rank());
      return done();
    }
    if (!rank.stoppedByUs() && !stopping && evidence.size() < MOST_EVIDENCE) {
      evidence.add(rank);
      return true;
    }
    return false;
  }

  void activity(List<RankActivity> ranks) {
    activity = ranks;
  }

  /** How many failures the leader knows; a leader that was started again has forgotten. */
  void seen(int failures) {
    evidenceSeen = failures;
  }

  Message.Renew renewal(long stamp, JobRecord.@Nullable Ending ask) {
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
}
