package dev.holdfast.control.state;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Is a job really on a node that it is said to have? It counts there when the node itself tells of
 * it, when the node says that a launcher of the same job and user is there, or when a scheduler or
 * another source under a token of its own tells. Else one node claims it of another, and that holds
 * up nothing.
 *
 * <p>Agents of before do not say what is there. Between two of those a claim counts for as long as
 * the claimant is heard, and {@link #AFTERWARDS} longer; a job that began then keeps its nodes for
 * {@link #GRACE} after their agents were replaced.
 */
final class Membership {
  /** Launchers of before that still run when the agent has been replaced say nothing either. */
  static final Duration GRACE = Duration.ofDays(14);

  /** So long after the claimant fell silent such a claim counts: its job may be handed over. */
  static final Duration AFTERWARDS = Duration.ofMinutes(10);

  private static final String NODE = "node/";

  private final Tables tables;

  Membership(Tables tables) {
    this.tables = tables;
  }

  /** Whether those say so who know. */
  boolean sure(JobView job, String node) {
    return !job.source().startsWith(NODE)
        || job.source().equals(NODE + node)
        || tables.presences.has(node, job.job());
  }

  /** Whether it is believed, because neither node has an agent that says what is there. */
  boolean believed(JobView job, String node, Instant now) {
    return perhaps(job, node)
        && heard(job, now)
        && tables
            .nodes
            .get(node)
            .flatMap(NodeView::confirms)
            .map(it -> now.isBefore(it.plus(GRACE)))
            .orElse(true);
  }

  /** The same without the time. */
  boolean perhaps(JobView job, String node) {
    return old(job, claimant(job)) && old(job, tables.nodes.get(node));
  }

  /** Whether the one that claims it is heard. */
  boolean heard(JobView job) {
    return claimant(job).flatMap(NodeView::silentSince).isEmpty();
  }

  private Optional<NodeView> claimant(JobView job) {
    return job.source().startsWith(NODE)
        ? tables.nodes.get(job.source().substring(NODE.length()))
        : Optional.empty();
  }

  private static boolean old(JobView job, Optional<NodeView> node) {
    return node.flatMap(NodeView::confirms).map(it -> begun(job).isBefore(it)).orElse(true);
  }

  /** When it was first told of here; what it says itself of that proves nothing. */
  private static Instant begun(JobView job) {
    return job.history().attempts().isEmpty()
        ? job.told()
        : job.history().attempts().getFirst().from();
  }

  private boolean heard(JobView job, Instant now) {
    return claimant(job)
        .flatMap(NodeView::silentSince)
        .map(it -> now.isBefore(it.plus(AFTERWARDS)))
        .orElse(true);
  }
}
