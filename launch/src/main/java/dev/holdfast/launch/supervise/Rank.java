package dev.holdfast.launch.supervise;

import dev.holdfast.launch.supervise.Event.RankState;
import dev.holdfast.os.libc.Reaper.Ended;
import java.util.Optional;

/** One rank of the present attempt; changed by the deciding thread only. */
final class Rank {
  final RankSpec spec;
  long pid;

  /** One that is ready to become it. */
  Optional<Standby> standby = Optional.empty();

  /** Whether it was a standby. */
  boolean warm;

  Optional<StreamPump> output = Optional.empty();
  Optional<StreamPump> errors = Optional.empty();
  Optional<End> end = Optional.empty();
  boolean told;
  long toldBytes;

  /** How it ended, and when as both clocks say. */
  record End(Ended how, boolean stoppedByUs, long atMillis, long atNanos) {}

  Rank(RankSpec spec) {
    this.spec = spec;
  }

  long bytes() {
    return output.map(StreamPump::bytes).orElse(0L) + errors.map(StreamPump::bytes).orElse(0L);
  }

  boolean drained() {
    return output.map(StreamPump::empty).orElse(true) && errors.map(StreamPump::empty).orElse(true);
  }

  RankState state() {
    return new RankState(
        spec.rank(),
        pid,
        told,
        end.map(it -> it.how().exitCode()).orElse(-1),
        end.map(it -> it.how().signal()).orElse(0),
        end.map(End::stoppedByUs).orElse(false),
        end.map(End::atMillis).orElse(0L));
  }
}
