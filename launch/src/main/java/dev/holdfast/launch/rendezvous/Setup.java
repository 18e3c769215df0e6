package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Member;
import java.util.Set;

/**
 * What a launcher must know to meet the others.
 *
 * @param job the same for all launchers of a job
 * @param self this launcher; with several nodes its port is replaced by the one it listens on
 * @param min the fewest nodes that can run an attempt
 * @param max the most nodes that take part in an attempt; further ones are spares
 * @param spares how many spares are expected; waited for no longer than the last call
 * @param endpointHost where the first leader listens
 * @param endpointPort where the first leader listens
 * @param first whether this launcher listens at the end point and leads first
 * @param token what the launchers of a job prove to each other to know
 * @param excluded nodes that take no part
 */
public record Setup(
    String job,
    Member self,
    int min,
    int max,
    int spares,
    String endpointHost,
    int endpointPort,
    boolean first,
    String token,
    Set<String> excluded,
    Timings timings) {

  /** What the launcher of a node that has no majority exits with. */
  public static final int NO_QUORUM = 75;

  public Setup {
    excluded = Set.copyOf(excluded);
    if (min < 1 || max < min || spares < 0) {
      throw new IllegalArgumentException("nodes " + min + " to " + max + ", spares " + spares);
    }
  }

  /** A job on this node alone: nothing listens, nobody is waited for. */
  public static Setup alone(String job, Member self, Timings timings) {
    return new Setup(job, self, 1, 1, 0, "", 0, true, "", Set.of(), timings);
  }

  /** Whether no other launcher can take part. */
  public boolean isAlone() {
    return endpointHost.isEmpty();
  }

  Setup withSelf(Member other) {
    return new Setup(
        job, other, min, max, spares, endpointHost, endpointPort, first, token, excluded, timings);
  }

  String endpoint() {
    return endpointHost + ":" + endpointPort;
  }
}
