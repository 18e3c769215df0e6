package dev.holdfast.control.api;

import dev.holdfast.control.entry.Batch;
import dev.holdfast.control.entry.DecisionEntry;
import dev.holdfast.control.state.ActionView;
import dev.holdfast.control.state.ClusterState;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets sources wait for something to be asked of them; woken only by what is durable. */
final class RequestBoard {
  private final ClusterState state;
  private final ConcurrentMap<String, CountDownLatch> waiting = new ConcurrentHashMap<>();

  RequestBoard(ClusterState state) {
    this.state = state;
  }

  /** On the deciding thread: wakes whom a durable batch asks something. */
  void durable(Batch batch) {
    for (var entry : batch.entries()) {
      if (entry instanceof DecisionEntry.Intended intended) {
        CountDownLatch latch = waiting.remove(intended.target());
        if (latch != null) {
          latch.countDown();
        }
      }
    }
  }

  List<ActionView> await(String source, long seconds) throws InterruptedException {
    CountDownLatch latch = waiting.computeIfAbsent(source, _ -> new CountDownLatch(1));
    List<ActionView> open = state.openActions(source);
    if (open.isEmpty() && seconds > 0) {
      var _ = latch.await(seconds, TimeUnit.SECONDS);
      open = state.openActions(source);
    }
    return open;
  }
}
