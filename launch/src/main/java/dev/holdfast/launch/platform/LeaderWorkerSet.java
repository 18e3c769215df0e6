package dev.holdfast.launch.platform;

import java.util.List;
import java.util.Optional;

/** A pod of a LeaderWorkerSet's group: everything is told, by variables of its own. */
final class LeaderWorkerSet {
  private LeaderWorkerSet() {}

  static Optional<Sighting> look(Surroundings around) {
    Optional<String> leader = around.text("LWS_LEADER_ADDRESS");
    if (leader.isEmpty()) {
      return Optional.empty();
    }
    Sighting seen = new Sighting("lws");
    seen.host = leader;
    seen.count = around.claim("LWS_GROUP_SIZE");
    seen.rank = around.claim("LWS_WORKER_INDEX");
    // The leader's pod is <set>-<group>, which names the group.
    seen.job = Optional.of(KubernetesJob.job(around, leader.get().replaceFirst("\\..*", "")));
    seen.failureFiles = List.of(KubernetesJob.TERMINATION_LOG);
    return Optional.of(seen);
  }
}
