package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Member;
import org.jspecify.annotations.Nullable;

/**
 * When does this launcher end, and with what? When the leader says that the job is over, when it
 * was asked to go, or when there is no hope: nobody leads, or nobody would have it.
 */
final class Farewell {
  private final Core core;
  private JobRecord.@Nullable Ending ask;
  private long askedAt;
  private JobRecord.@Nullable Ending ending;
  private boolean over;
  private String refusal = "";

  Farewell(Core core) {
    this.core = core;
  }

  boolean over() {
    return over;
  }

  /** Whether it is known how it ends; it does when its ranks are gone. */
  boolean decided() {
    return ending != null;
  }

  /** What somebody asked this launcher to end the job with. */
  JobRecord.@Nullable Ending ask() {
    return ask;
  }

  /** Whether nobody had asked before. */
  boolean asked(int exitCode, String why) {
    if (ask != null) {
      return false;
    }
    ask = new JobRecord.Ending(exitCode, why);
    askedAt = core.now;
    return true;
  }

  void decide(JobRecord.Ending how) {
    ending = how;
  }

  void refused(String address, String why) {
    if (!refusal.equals(why)) {
      refusal = why;
      core.note("refused", address + " refuses this launcher: " + why);
    }
  }

  /** What to end with because waiting is in vain; null: it is not. */
  JobRecord.@Nullable Ending hopeless(OwnLease lease, boolean leaderless) {
    Timings timings = core.setup.timings();
    if (ending != null) {
      return null;
    }
    JobRecord.Ending asked = ask;
    long askPatience =
        timings
            .endGrace()
            .plus(timings.stopLimit())
            .plus(timings.lease().multipliedBy(2))
            .toMillis();
    if (asked != null && ((!lease.holds() && leaderless) || core.now > askedAt + askPatience)) {
      return asked;
    }
    long patience = (lease.never() ? timings.join() : timings.rejoin()).toMillis();
    if (lease.without() <= patience || core.setup.isAlone()) {
      return null;
    }
    JobRecord record = core.record;
    JobRecord.Ending told = record == null ? null : record.ending();
    return told != null
        ? told
        : new JobRecord.Ending(
            Setup.NO_QUORUM, lease.never() ? nobody(patience) : noMajority(patience));
  }

  private String nobody(long patience) {
    return "no leader answered at "
        + core.setup.endpoint()
        + " within "
        + patience / 1000
        + " s"
        + (refusal.isEmpty()
            ? "; check --rdzv-endpoint and that the first launcher runs"
            : ": " + refusal);
  }

  private static String noMajority(long patience) {
    return "no majority of the job's launchers could be reached for "
        + patience / 1000
        + " s; look at the network and at the other launchers";
  }

  /** Now, if it is known how. */
  void finish() {
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
