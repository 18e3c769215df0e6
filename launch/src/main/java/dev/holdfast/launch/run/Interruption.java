package dev.holdfast.launch.run;

import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.plan.LogFolders;
import dev.holdfast.launch.supervise.Order;
import dev.holdfast.launch.supervise.Remains;
import dev.holdfast.launch.watch.FlightRecorder;
import dev.holdfast.launch.watch.ProcEvidence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How this node's ranks are stopped: at once, or after a look at what they were doing, which never
 * holds the stop up for long. Only on the inbox's thread; the look has a thread of its own.
 */
final class Interruption {
  private static final Duration EVIDENCE = Duration.ofSeconds(4);

  /** Where flight recorders are asked; a node has ten seconds and the grace to say it stopped. */
  private static final Duration WITH_RECORDS = EvidenceFiles.RECORDS.plusMillis(500);

  private static final Duration REMAINS = Duration.ofSeconds(5);

  private final JobSpec spec;
  private final RunLog log;
  private final Inbox inbox;
  private final NodeRanks ranks;
  private final Consumer<Order> order;
  private Order.@Nullable Stop stopLater;
  private long stopAt;

  Interruption(JobSpec spec, RunLog log, Inbox inbox, NodeRanks ranks, Consumer<Order> order) {
    this.spec = spec;
    this.log = log;
    this.inbox = inbox;
    this.ranks = ranks;
    this.order = order;
  }

  /**
   * @param look whether to see first what they do
   */
  void begin(int attempt, Duration grace, boolean look) {
    stopLater = new Order.Stop(attempt, grace);
    stopAt = System.nanoTime() + (ranks.recorders().isEmpty() ? EVIDENCE : WITH_RECORDS).toNanos();
    if (look) {
      collect(this::stopNow);
    } else {
      stopNow();
    }
  }

  /** Once a second. */
  void second() {
    if (stopLater != null && System.nanoTime() > stopAt) {
      stopNow();
    }
  }

  /** Once: when the evidence is there, or when it took too long. */
  private void stopNow() {
    Order.Stop waiting = stopLater;
    stopLater = null;
    if (waiting != null) {
      order.accept(waiting);
    }
  }

  /** Looks at all ranks of this node, which go on. */
  void collect() {
    collect(() -> {});
  }

  private void collect(Runnable afterwards) {
    Path folder = Path.of(LogFolders.ofAttempt(spec, ranks.attempt()));
    List<ProcEvidence.Rank> present = ranks.present();
    List<FlightRecorder> recorders = ranks.recorders();
    Thread.ofPlatform()
        .name("evidence")
        .daemon()
        .start(
            () -> {
              try {
                String where = EvidenceFiles.collect(folder, present, recorders);
                inbox.post(() -> log.say(where));
              } finally {
                inbox.post(afterwards);
              }
            });
  }

  /** Nobody holds the ranks any more: ends what is left of them. */
  void endRemains() {
    List<Long> sessions =
        ranks.all().stream().filter(r -> r.exit() == null).map(NodeRank::pid).toList();
    Remains.of(System.getenv())
        .ifPresent(
            remains -> {
              try {
                remains.end(sessions, REMAINS);
              } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
              }
            });
  }
}
