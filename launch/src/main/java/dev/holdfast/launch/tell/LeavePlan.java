package dev.holdfast.launch.tell;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
  public record Leave(String node, When when, String why, long after) {}

  public synchronized void add(Leave leave) {
    nodes.put(leave.node(), leave);
  }

  /** The node to leave now, with so many checkpoints complete. */
  public synchronized Optional<Leave> due(long checkpoints) {
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

  /** What the next process of this launcher must know. */
  public synchronized List<Map<String, @Nullable Object>> json() {
    return nodes.values().stream()
        .map(
            it ->
                Json.map(
                    "node",
                    it.node(),
                    "when",
                    it.when().name(),
                    "why",
                    it.why(),
                    "after",
                    it.after()))
        .toList();
  }

  public void resume(List<Fields> kept) {
    kept.forEach(
        it ->
            add(
                new Leave(
                    it.text("node"),
                    When.valueOf(it.text("when")),
                    it.text("why"),
                    it.number("after"))));
  }

  /** The job does not use the node any more. */
  public synchronized void left(String node) {
    nodes.remove(node);
  }
}
