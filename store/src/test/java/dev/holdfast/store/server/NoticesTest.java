package dev.holdfast.store.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NoticesTest {
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final AtomicLong nanos = new AtomicLong(1);

  @Test
  void aFloodBecomesAFewLinesAndACount() {
    try (Notices notices = new Notices(log::add, nanos::get)) {
      for (int i = 0; i < 100_000; i++) {
        int peer = i;
        notices.tell("not allowed", () -> "peer " + peer);
      }
      notices.tell("something else", () -> "is still said");
    }
    assertThat(log)
        .containsExactly(
            "peer 0",
            "peer 1",
            "peer 2",
            "peer 3",
            "peer 4",
            "is still said",
            "and 99995 more like it (not allowed)");
  }

  @Test
  void aLogThatBlocksHoldsNobodyUp() {
    java.util.concurrent.CountDownLatch free = new java.util.concurrent.CountDownLatch(1);
    try (Notices notices =
        new Notices(
            line -> {
              try {
                free.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              log.add(line);
            },
            nanos::get)) {
      for (int i = 0; i < 10_000; i++) {
        int kind = i;
        notices.tell("kind " + kind % 1000, () -> "line " + kind);
      }
      assertThat(log).isEmpty();
      free.countDown();
    }
    assertThat(log).hasSizeBetween(200, 2000).contains("line 0");
  }
}
