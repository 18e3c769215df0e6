package dev.holdfast.control.engine;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.ClusterState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets sources wait for something to be asked of them, and shows only what is durable: the state
 * may be ahead of the journal, and what a crash takes back must not have been begun.
 */
public final class RequestBoard {
  private final ClusterState state;
  private final ConcurrentMap<String, CountDownLatch> waiting = new ConcurrentHashMap<>();
  private final Set<String> durable = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  /** Made before anything is decided: all that the state holds is durable. */
  public RequestBoard(ClusterState state) {
    this.state = state;
    state.openActions().forEach(it -> durable.add(it.request().id()));
  }

  /** On the deciding thread: wakes whom a durable batch asks something. */
  public void durable(Batch batch) {
    for (var entry : batch.entries()) {
      if (entry instanceof DecisionEntry.Intended intended) {
        durable.add(intended.request().id());
        CountDownLatch latch = waiting.remove(intended.target());
        if (latch != null) {
          latch.countDown();
        }
      } else if (entry instanceof DecisionEntry.Ended ended) {
        durable.remove(ended.action());
      }
    }
  }

  /** Lets go of all who wait. */
  public void close() {
    closing = true;
    waiting.values().forEach(CountDownLatch::countDown);
  }

  /** What is asked of a source; waits so long for something to be. */
  public List<ActionView> await(String source, Duration wait) throws InterruptedException {
    CountDownLatch latch = waiting.computeIfAbsent(source, _ -> new CountDownLatch(1));
    List<ActionView> open = open(source);
    if (open.isEmpty() && wait.isPositive() && !closing) {
      var _ = latch.await(wait.toMillis(), TimeUnit.MILLISECONDS);
      open = open(source);
    }
    return open;
  }

  private List<ActionView> open(String source) {
    return state.openActions(source).stream()
        .filter(it -> durable.contains(it.request().id()))
        .toList();
  }
}
