package dev.holdfast.os.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class DeadlineTest {
  @Test
  void whoIsWokenByTheCloseFindsTheDeadlinePassed() throws Exception {
    CompletableFuture<Deadline> made = new CompletableFuture<>();
    CompletableFuture<Boolean> seen = new CompletableFuture<>();
    try (Deadline deadline =
        Deadline.of(() -> seen.complete(made.join().passed()), Duration.ofMillis(1))) {
      made.complete(deadline);
      assertThat(seen.get(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void whatIsDoneInTimeIsNotClosed() throws Exception {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    Deadline deadline = Deadline.of(() -> closed.complete(null), Duration.ofHours(1));
    deadline.close();
    assertThat(deadline.passed()).isFalse();
    assertThat(closed).isNotDone();
  }
}
