package dev.holdfast.launch.rendezvous;

import org.jspecify.annotations.Nullable;

/** What does a leader say to a launcher, and does it let its ranks live on? */
final class Words {
  private final Core core;
  private final Roster roster;
  private final Course course;
  private final long silence;

  Words(Core core, Roster roster, Course course) {
    this.core = core;
    this.roster = roster;
    this.course = course;
    silence = core.setup.timings().silenceMillis();
  }

  /**
   * What the leader wants, of one launcher or of all; grants no lease. That the job is over it says
   * to itself by its last word only, after the others' goodbyes.
   */
  Message.Tell tell(@Nullable Peer peer) {
    boolean last = peer == null || !core.isSelf(peer.member);
    return new Message.Tell(
        core.term,
        -1,
        -1,
        core.now,
        false,
        course.floor,
        course.graceMillis,
        course.why,
        course.hang,
        course.phase.runs() ? course.attempt : -1,
        core.version(),
        course.phase.runs() ? core.judge.step(course.attempt) : -1,
        peer == null ? 0 : peer.evidenceSeen,
        course.phase == Phase.ENDED && last ? course.ending : null);
  }

  Message.Tell answer(Peer peer, Message.Renew renew) {
    if (peer.replaced) {
      return new Message.Tell(
          core.term,
          peer.member.incarnation(),
          renew.sentAt(),
          core.now,
          false,
          course.attempt,
          0,
          "replaced",
          false,
          -1,
          Version.NONE,
          -1,
          0,
          new JobRecord.Ending(1, "a newer launcher of " + peer.member.node() + " took its place"));
    }
    return tell(peer)
        .withAnswer(peer.member.incarnation(), renew.sentAt(), granted(peer), peer.evidenceSeen);
  }

  private boolean granted(Peer peer) {
    boolean lease =
        !peer.fenced()
            && !(peer.live && peer.attempt != course.attempt)
            && course.phase != Phase.ENDED
            && roster.authority();
    if (lease) {
      peer.mayLiveUntil = core.now + silence;
    }
    return lease;
  }
}
