package dev.holdfast.control.slurm;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.slurm.OwnReason;
import dev.holdfast.core.slurm.SlurmNode;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Writes how each node is into its comment in Slurm, where {@code scontrol show node} shows it: a
 * score and what it is for. A comment somebody else wrote is left alone, and only so many are
 * written at a time.
 */
final class HealthComments {
  private static final String OWNER = "holdfast: health ";
  private static final int AT_ONCE = 20;

  private final ClusterState state;
  private final SlurmPrograms programs;

  HealthComments(ClusterState state, SlurmPrograms programs) {
    this.state = state;
    this.programs = programs;
  }

  void write(Collection<SlurmNode> nodes) throws SlurmAway {
    int written = 0;
    for (SlurmNode node : nodes) {
      boolean free = node.comment().isEmpty() || node.comment().startsWith(OWNER);
      Optional<String> wanted = state.node(node.name()).map(this::comment);
      if (!free || wanted.isEmpty() || wanted.get().equals(node.comment())) {
        continue;
      }
      if (++written > AT_ONCE) {
        return;
      }
      try {
        programs.ask("scontrol", "update", "nodename=" + node.name(), "comment=" + wanted.get());
      } catch (SlurmRefusal notAllowed) {
        return; // this user may not; the rest would fail alike
      }
    }
  }

  /** 100: nothing is wrong; less by the worst of what holds. */
  private String comment(NodeView node) {
    List<FindingView> holding =
        state.findingsOf(node.name()).stream().filter(FindingView::holds).toList();
    Optional<FindingView> worst =
        holding.stream()
            .max((one, other) -> one.finding().severity().compareTo(other.finding().severity()));
    int score = worst.map(it -> score(it.finding().severity())).orElse(100);
    return OwnReason.line(
        OWNER
            + score
            + worst
                .filter(_ -> score < 100)
                .map(it -> " (" + it.finding().check() + ")")
                .orElse(""));
  }

  private static int score(Severity severity) {
    return switch (severity) {
      case INFO -> 100;
      case WARNING -> 75;
      case DEGRADED -> 40;
      case FATAL -> 0;
    };
  }
}
