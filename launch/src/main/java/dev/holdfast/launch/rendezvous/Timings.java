package dev.holdfast.launch.rendezvous;

import java.time.Duration;

/**
 * How long launchers wait for what.
 *
 * @param renew how often a member tells the leader that it is there
 * @param lease how long a member's ranks may live after the renewal that was answered was sent
 * @param margin what others wait longer than the lease; covers clocks that run apart by up to 9 %
 * @param lastCall how long more nodes are waited for once the fewest needed are there
 * @param join how long a launcher tries to reach the others, and how long fewer than needed wait
 * @param rejoin how long a launcher without a majority waits for one before it ends
 * @param evidence how long the failures of other ranks are collected after the first
 * @param evidenceMost the same, while they still come in
 * @param grace from TERM to KILL when an attempt is interrupted
 * @param endGrace from TERM to KILL when the job is ended from outside
 * @param stopLimit how long after the grace a node has to answer that its ranks are gone
 */
public record Timings(
    Duration renew,
    Duration lease,
    Duration margin,
    Duration lastCall,
    Duration join,
    Duration rejoin,
    Duration evidence,
    Duration evidenceMost,
    Duration grace,
    Duration endGrace,
    Duration stopLimit) {

  public static final Timings USUAL =
      new Timings(
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofMinutes(10),
          Duration.ofMinutes(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(3),
          Duration.ofSeconds(1),
          Duration.ofSeconds(30),
          Duration.ofSeconds(10));

  public Timings {
    if (renew.multipliedBy(2).compareTo(lease) > 0) {
      throw new IllegalArgumentException(
          "a lease of " + lease + " is too short for a renewal each " + renew);
    }
    if (margin.multipliedBy(5).compareTo(lease) < 0) {
      throw new IllegalArgumentException("a margin of " + margin + " is too short for " + lease);
    }
  }

  public Timings withLastCall(Duration other) {
    return new Timings(
        renew,
        lease,
        margin,
        other,
        join,
        rejoin,
        evidence,
        evidenceMost,
        grace,
        endGrace,
        stopLimit);
  }

  public Timings withJoin(Duration other) {
    return new Timings(
        renew,
        lease,
        margin,
        lastCall,
        other,
        rejoin,
        evidence,
        evidenceMost,
        grace,
        endGrace,
        stopLimit);
  }

  public Timings withRejoin(Duration other) {
    return new Timings(
        renew,
        lease,
        margin,
        lastCall,
        join,
        other,
        evidence,
        evidenceMost,
        grace,
        endGrace,
        stopLimit);
  }

  public Timings withEvidence(Duration least, Duration most) {
    return new Timings(
        renew, lease, margin, lastCall, join, rejoin, least, most, grace, endGrace, stopLimit);
  }

  public Timings withGrace(Duration interrupted, Duration ended) {
    return new Timings(
        renew,
        lease,
        margin,
        lastCall,
        join,
        rejoin,
        evidence,
        evidenceMost,
        interrupted,
        ended,
        stopLimit);
  }

  /** After this without a sign of life nobody's ranks live any more. */
  long silenceMillis() {
    return lease.plus(margin).toMillis();
  }
}
