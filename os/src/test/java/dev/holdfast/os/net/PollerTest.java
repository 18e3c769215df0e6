package dev.holdfast.os.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A wait ends when another thread asks for it, and asking too late does no harm. */
class PollerTest {
  @Test
  void aWakeUpEndsOneWait() throws IOException {
    try (Poller poller = Poller.open()) {
      poller.wake();
      assertThat(poller.await(10_000)).isOne();
      assertThat(poller.token(0)).isNegative();
      poller.drainWakeUps();
      assertThat(poller.await(0)).isZero();
    }
  }

  @Test
  void wakingAPollerThatWasClosedDoesNothing() throws IOException {
    Poller poller = Poller.open();
    poller.close();
    assertThatCode(poller::wake).doesNotThrowAnyException();
  }
}
