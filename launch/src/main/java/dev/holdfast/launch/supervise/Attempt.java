package dev.holdfast.launch.supervise;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The ranks of one attempt and how far their end has come; changed by the deciding thread only. */
final class Attempt {
  /** How far the ranks are. */
  enum Phase {
    STARTING,
    RUNNING,
    /** TERM was sent. */
    STOPPING,
    /** KILL was sent, and is again to whoever is still found. */
    KILLING
  }

  final int number;
  final List<Rank> ranks;
  final LogTroubles troubles;
  Phase phase = Phase.STARTING;
  Optional<Path> group = Optional.empty();
  Optional<Failure> failure = Optional.empty();

  /** Read by the thread that collects children too. */
  volatile boolean stopOrdered;

  long killAt = Long.MAX_VALUE;
  long killedAt;
  long nextScan;

  /** Why a rank could not be started. */
  record Failure(int rank, String why) {}

  Attempt(int number, List<RankSpec> specs, LogTroubles troubles) {
    this.number = number;
    this.ranks = specs.stream().map(Rank::new).toList();
    this.troubles = troubles;
  }

  boolean allEnded() {
    return ranks.stream().allMatch(rank -> rank.pid == 0 || rank.end.isPresent());
  }

  boolean allTold() {
    return ranks.stream().allMatch(rank -> rank.pid == 0 || rank.told);
  }
}
