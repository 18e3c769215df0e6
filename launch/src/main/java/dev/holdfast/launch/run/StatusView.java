package dev.holdfast.launch.run;

import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.plan.LogFolders;
import dev.holdfast.launch.rendezvous.Rendezvous;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How the run is at this moment, as this node knows it. Only on the inbox's thread. */
final class StatusView {
  private final JobSpec spec;
  private final NodeAttempt attempt;
  private final JobStore store;
  private final RunLog log;
  private final long begunNanos = System.nanoTime();

  StatusView(JobSpec spec, NodeAttempt attempt, JobStore store, RunLog log) {
    this.spec = spec;
    this.attempt = attempt;
    this.store = store;
    this.log = log;
  }

  /**
   * @param rendezvous null: nobody was met yet
   */
  JobStatus now(String state, @Nullable Rendezvous rendezvous) {
    long now = System.nanoTime();
    Assignment known = attempt.assignment();
    NodeRanks ranks = attempt.ranks();
    String node = spec.here().node();
    return new JobStatus(
        spec.job(),
        node,
        state,
        rendezvous != null && rendezvous.view().role().equals("leader"),
        known == null ? 0 : known.attempt(),
        known == null ? 0 : known.restarts(),
        spec.ending().maxRestarts(),
        known == null ? 0 : known.worldSize(),
        (now - begunNanos) / 1e9,
        LogFolders.ofNode(spec),
        rendezvous == null
            ? List.of(new JobStatus.NodeState(node, state))
            : rendezvous.view().members().stream()
                .map(
                    m ->
                        new JobStatus.NodeState(
                            m.member().node(),
                            m.state().name().toLowerCase(Locale.ROOT).replace('_', ' ')))
                .toList(),
        ranks.all().stream()
            .map(rank -> rank.status(node, now, store.now(ranks.attempt())))
            .toList(),
        log.findings());
  }
}
