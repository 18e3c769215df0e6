package dev.holdfast.control.api.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.api.gate.Turns.Turn;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whose answer is made next. */
class TurnsTest {
  private static final long PATIENCE_SECONDS = 30;

  private final Turns turns = turns(Duration.ofSeconds(PATIENCE_SECONDS));
  private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();

  private static Turns turns(Duration patience) {
    return new Turns(2, 1, patience.toNanos());
  }

  private Turn take(String who) throws InterruptedException {
    return turns.take(who).orElseThrow();
  }

  /** Somebody asks in a thread of his own, and his turn is over at once when it comes. */
  private void waits(String who) throws InterruptedException {
    int before = turns.waiting();
    Thread.startVirtualThread(
        () -> {
          try (Turn turn = take(who)) {
            begun.add(who);
          } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
          }
        });
    while (turns.waiting() == before) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private String next() throws InterruptedException {
    return String.valueOf(begun.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void oneWhoAsksOftenLeavesTurnsForOthers() throws InterruptedException {
    try (Turn often = take("often")) {
      waits("often");
      try (Turn other = take("other")) {
        assertThat(turns.waiting()).isEqualTo(1);
      }
    }
    assertThat(next()).isEqualTo("often");
  }

  @Test
  void whoAskedOnceIsNotBehindWhoAskedOften() throws InterruptedException {
    Turn one = take("one");
    try (Turn often = take("often")) {
      waits("often");
      waits("often");
      waits("other");
      one.close();
      assertThat(next()).isEqualTo("other");
    }
    assertThat(List.of(next(), next())).containsExactly("often", "often");
  }

  @Test
  void whoWaitedTooLongIsRefusedAndKeepsNobodyUp() throws InterruptedException {
    Turns hasty = turns(Duration.ofMillis(1));
    try (Turn first = hasty.take("a").orElseThrow()) {
      assertThat(hasty.take("a")).isEmpty();
      assertThat(hasty.waiting()).isZero();
    }
    Optional<Turn> again = hasty.take("a");
    assertThat(again).isPresent();
    again.ifPresent(Turn::close);
  }

  @Test
  void aTurnEndsOnce() throws InterruptedException {
    Turn one = take("a");
    one.close();
    one.close();
    try (Turn a = take("a");
        Turn b = take("b")) {
      waits("c");
      assertThat(begun).as("not a third at once").isEmpty();
    }
    assertThat(next()).isEqualTo("c");
  }
}
