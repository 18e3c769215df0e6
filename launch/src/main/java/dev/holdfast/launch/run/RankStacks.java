package dev.holdfast.launch.run;

import dev.holdfast.core.text.Fields;
import dev.holdfast.launch.stacks.StackSampler;
import dev.holdfast.launch.watch.ProcEvidence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The stacks of this node's ranks for whoever asks over the launcher's socket. The launcher knows
 * which process is which rank and where its stacks go; one asker is served at a time, so that
 * nobody can keep ranks busy by asking.
 */
final class RankStacks {
  private static final long KNOWN_SECONDS = 5;

  /** So long somebody waits for who asked before; less than the asker's own patience. */
  private static final long TURN_SECONDS = 3;

  private static final int MOST_SECONDS = 600;

  private final Inbox inbox;
  private final NodeRanks ranks;
  private final Semaphore turn = new Semaphore(1);

  RankStacks(Inbox inbox, NodeRanks ranks) {
    this.inbox = inbox;
    this.ranks = ranks;
  }

  /** Who runs, and who does not and why. */
  private record Known(List<ProcEvidence.Rank> present, List<ProcEvidence.Seen> absent) {}

  /** Answers on the asker's thread; any may ask. */
  Map<String, @Nullable Object> answer(Fields question) {
    int seconds = question.integer("seconds", 10);
    if (seconds < 1 || seconds > MOST_SECONDS) {
      throw new IllegalArgumentException("seconds: 1 to " + MOST_SECONDS);
    }
    awaitTurn();
    try {
      Known known = known();
      StackSampler.Round round =
          StackSampler.ofThisMachine(question.flag("native"))
              .sample(known.present(), Duration.ofSeconds(seconds));
      List<ProcEvidence.Seen> all = new ArrayList<>(round.seen());
      all.addAll(known.absent());
      return new StackSampler.Round(all, round.took()).json();
    } finally {
      turn.release();
    }
  }

  private void awaitTurn() {
    try {
      if (!turn.tryAcquire(TURN_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalArgumentException("somebody else takes stacks just now");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalArgumentException("interrupted", interrupted);
    }
  }

  /** What the watcher's own thread knows. */
  private Known known() {
    CompletableFuture<Known> known = new CompletableFuture<>();
    inbox.post(() -> known.complete(new Known(ranks.present(), ranks.absent())));
    try {
      return known.get(KNOWN_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalArgumentException("interrupted", interrupted);
    } catch (ExecutionException | TimeoutException busy) {
      throw new IllegalArgumentException("the launcher is busy", busy);
    }
  }
}
