package dev.holdfast.os.libc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Sleeping on a word of memory. */
class FutexTest {
  private static final long LONG = 3_600_000_000_000L;

  @Test
  void whoSleepsIsWokenAndNobodySleepsOnAnotherValue() throws Exception {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment word = arena.allocate(ValueLayout.JAVA_INT);
      Futex.await(word, 7, LONG);
      CompletableFuture<Void> woken = new CompletableFuture<>();
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                Futex.await(word, 0, LONG);
                woken.complete(null);
              });
      // It may not sleep yet: woken again and again until it was.
      long end = System.nanoTime() + 20_000_000_000L;
      while (!woken.isDone() && System.nanoTime() < end) {
        Futex.wake(word);
        Thread.sleep(1);
      }
      assertThat(woken.get(1, TimeUnit.SECONDS)).isNull();
    }
  }

  @Test
  void sleepHasAnEnd() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment word = arena.allocate(ValueLayout.JAVA_INT);
      long before = System.nanoTime();
      Futex.await(word, 0, 50_000_000);
      assertThat(System.nanoTime() - before).isGreaterThan(40_000_000);
    }
  }
}
