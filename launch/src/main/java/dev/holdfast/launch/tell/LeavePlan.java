package dev.holdfast.launch.tell;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes the control plane asked this job to leave, and when. Whether it does is the launcher's
 * to say; once it has, this is what it holds itself to.
 */
public final class LeavePlan {
  private final Map<String, Leave> nodes = new LinkedHashMap<>();

  /** When to leave. */
  public enum When {
    /** Not for its sake: from the next attempt on. */
    NEXT_ATTEMPT,
    /** As soon as a checkpoint is complete. */
    NEXT_CHECKPOINT,
    NOW
  }

  /**
   * @param after so many checkpoints were complete when it was asked
   */
  public record Leave(String node, When when, String why, int after) {}

  public synchronized void add(Leave leave) {
    nodes.put(leave.node(), leave);
  }

  /** The node to leave now, with so many checkpoints complete. */
  public synchronized Optional<Leave> due(int checkpoints) {
    return nodes.values().stream()
        .filter(
            it ->
                it.when() == When.NOW
                    || (it.when() == When.NEXT_CHECKPOINT && checkpoints > it.after()))
        .findFirst();
  }

  /** All that the next attempt is to do without. */
  public synchronized List<String> nodes() {
    return new ArrayList<>(nodes.keySet());
  }

  /** The job does not use the node any more. */
  public synchronized void left(String node) {
    nodes.remove(node);
  }
}
