package dev.holdfast.core.forensics.logs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One rank with all it wrote, to whichever files; or a writer of which no rank is known. */
final class Voice {
  static final long AFTERWARDS = 5_000_000;
  static final int PROGRESS = 2;

  final List<Speaker> speakers = new ArrayList<>(1);

  /** −1: not known. */
  final int rank;

  /** Empty: not known. */
  String node = "";

  /** How far its clock is ahead. */
  long offset;

  Voice(int rank) {
    this.rank = rank;
  }

  /** The GPU of its node, where that is all that is known of it, −1: not even that. */
  int gpu() {
    return known() ? -1 : speakers.stream().mapToInt(one -> one.gpu).max().orElse(-1);
  }

  boolean known() {
    return rank >= 0;
  }

  long corrected(long time) {
    return time == Stamp.NONE ? time : time - offset;
  }

  /** The furthest step it told of, −1: none. */
  long step() {
    return speakers.stream().mapToLong(one -> one.step).max().orElse(-1);
  }

  /** How often it told of a further step. */
  long told() {
    return speakers.stream().mapToLong(one -> one.told).max().orElse(0);
  }

  /** When it told of its last step. */
  long stepTime() {
    return corrected(speakers.stream().mapToLong(one -> one.stepTime).max().orElse(Stamp.NONE));
  }

  long firstTime() {
    return corrected(
        speakers.stream()
            .mapToLong(one -> one.firstTime)
            .filter(time -> time != Stamp.NONE)
            .min()
            .orElse(Stamp.NONE));
  }

  long lastTime() {
    return corrected(speakers.stream().mapToLong(one -> one.lastTime).max().orElse(Stamp.NONE));
  }

  List<Wait> waits() {
    return speakers.stream().flatMap(one -> one.waits.stream()).toList();
  }

  Map<String, Long> enqueued() {
    Map<String, Long> all = new HashMap<>();
    for (Speaker one : speakers) {
      one.enqueued.forEach((group, work) -> all.merge(group, work, Math::max));
    }
    return all;
  }

  /** The line that asked it to end, null: none. */
  @Nullable Said asked() {
    for (Speaker one : speakers) {
      if (one.asked != null) {
        return one.asked;
      }
    }
    return null;
  }

  Stream<NcclFacts> nccl() {
    return speakers.stream().flatMap(one -> Stream.ofNullable(one.nccl));
  }

  /**
   * The first line of a match that was not survived, null: all of them were. Only work that was
   * done afterwards shows it: two further steps, or two lines of losses, batches, saved
   * checkpoints, five seconds later where there are times.
   */
  @Nullable Said fatal(Speaker speaker, Match match, long jobStepTime) {
    if (match.dealtWith >= match.count || survived(speaker.pace, match.last, jobStepTime)) {
      return null;
    }
    return survived(speaker.pace, match.first, jobStepTime)
        ? match.last.said()
        : match.first.said();
  }

  private boolean survived(Pace pace, Match.Before line, long jobStepTime) {
    Said said = line.said();
    if (pace.steps >= line.steps() + 2 && later(pace.time, said)
        || pace.progress >= line.progress() + PROGRESS && later(pace.progressTime, said)) {
      return true;
    }
    if (pace.steps > 0 || said.time() == Stamp.NONE) {
      return false;
    }
    long own = stepTime();
    long progress = own == Stamp.NONE ? jobStepTime : own;
    long margin = own == Stamp.NONE ? 12 * AFTERWARDS : AFTERWARDS;
    return said.exact() && progress != Stamp.NONE && progress > corrected(said.time()) + margin;
  }

  private static boolean later(long time, Said said) {
    return said.time() == Stamp.NONE || time == Stamp.NONE || time > said.time() + AFTERWARDS;
  }
}
