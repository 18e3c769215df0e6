package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.launch.job.Assignment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How far a leader has brought the job: at which attempt it is, what is over, how and why. */
final class Course {
  private final Core core;

  Phase phase = Phase.GATHERING;

  /** When the phase began. */
  long since;

  int attempt = -1;
  int restarts;

  /** All attempts up to this one are over. */
  int floor = -1;

  /** From TERM to KILL for ranks that must end. */
  long graceMillis;

  /** Why ranks must end. */
  String why = "";

  /** Whether they must end because some hang. */
  boolean hang;

  /** Why the newest attempt follows the one before. */
  String decided = "";

  /** Why the attempt is interrupted; null: it is not, or that was decided about. */
  @Nullable Diagnosis diagnosis;

  /** How the job ends, once that is known. */
  JobRecord.@Nullable Ending ending;

  @Nullable Assignment assignment;

  /** Until when ranks may live that an earlier leader, or an earlier process, let live. */
  long inheritedUntil = Peer.NEVER;

  /** Whether ranks of an attempt being prepared may run, because this process was not the first. */
  boolean resumed;

  Course(Core core) {
    this.core = core;
    since = core.now;
  }

  void enter(Phase next) {
    phase = next;
    since = core.now;
  }

  /** The assignment of the newest attempt. */
  Assignment running() {
    Assignment current = assignment;
    if (current == null) {
      throw new IllegalStateException("no attempt in " + phase);
    }
    return current;
  }

  void resume(Memory.Lead memory) {
    restarts = memory.restarts();
    floor = memory.floor();
    decided = memory.decided();
    why = memory.why();
    hang = memory.hang();
    graceMillis = memory.graceMillis();
    diagnosis = memory.diagnosis();
    ending = memory.ending();
  }

  Memory.Lead memory(Set<String> excluded) {
    return new Memory.Lead(
        floor, restarts, excluded, decided, why, graceMillis, hang, diagnosis, ending);
  }
}
