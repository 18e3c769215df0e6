package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How does what must survive the leader come to the others? */
final class Records {
  private static final long AGAIN = 2_000;

  private final Core core;
  private final Roster roster;

  Records(Core core, Roster roster) {
    this.core = core;
    this.roster = roster;
  }

  /** The record of a new attempt; the first one says who votes. */
  void writeAttempt(Assignment next, String decided) {
    JobRecord old = core.record;
    List<Member> voters =
        old != null
            ? old.voters()
            : roster.available().stream().map(p -> p.member).sorted(this::voterOrder).toList();
    roster.assign(next);
    write(voters, next, decided, null);
  }

  /** How the job ends; nothing to write where nothing began. */
  void writeEnding(JobRecord.Ending how, String decided) {
    JobRecord record = core.record;
    if (record != null) {
      write(record.voters(), record.assignment(), decided, how);
    }
  }

  /** The first leader first: its vote breaks ties. Then in the order of ranks. */
  private int voterOrder(Member left, Member right) {
    int bySelf = Boolean.compare(core.isSelf(right), core.isSelf(left));
    return bySelf != 0 ? bySelf : Names.RANKS.compare(left, right);
  }

  private void write(
      List<Member> voters, Assignment of, String decided, JobRecord.@Nullable Ending how) {
    Version version =
        new Version(core.term, core.version().index() + 1, voters.getFirst().incarnation());
    JobRecord record =
        new JobRecord(version, voters, roster.excluded(), decided, of, how, core.judge.tell());
    core.adopt(record);
    core.leader = core.self;
    roster.weigh();
    Peer self = roster.find(core.self);
    List<Peer> others = new ArrayList<>();
    for (Peer peer : roster.all()) {
      if (roster.fresh(peer)) {
        peer.recordSentAt = core.now;
        if (peer == self) {
          peer.held = record.version();
        } else {
          others.add(peer);
        }
      }
    }
    core.broadcast(others, new Message.Prepare(core.term, core.now, record));
  }

  /**
   * Says it again to launchers that hold an older one, to all of them with one message: a record of
   * thousands of nodes takes a while to write.
   */
  void tick() {
    JobRecord record = core.record;
    if (record == null) {
      return;
    }
    List<Peer> behind = new ArrayList<>();
    for (Peer peer : roster.others()) {
      if (peer.held.compareTo(record.version()) < 0 && core.now - peer.recordSentAt > AGAIN) {
        peer.recordSentAt = core.now;
        behind.add(peer);
      }
    }
    if (!behind.isEmpty()) {
      core.broadcast(behind, new Message.Prepare(core.term, core.now, record));
    }
  }
}
