package dev.holdfast.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ClockOffsetTest {
  @Test
  void theShortestWayTellsTheOffsetHoweverLateMostMessagesCome() {
    SplittableRandom random = new SplittableRandom(1);
    ClockOffset offset = new ClockOffset();
    for (int second = 0; second < 100; second++) {
      long sent = second * 1000L;
      offset.heard(sent, sent + 7_000_000 + 1 + random.nextInt(40));
    }
    assertThat(offset.seconds()).isBetween(7000.0, 7000.005);
  }

  @Test
  void aClockThatWasSlowOnceIsForgottenAfterTwoMinutes() {
    ClockOffset offset = new ClockOffset();
    offset.heard(0, 100);
    for (int second = 1; second < 130; second++) {
      offset.heard(second * 1000L, second * 1000L + 300);
    }
    assertThat(offset.seconds()).isEqualTo(0.3);
  }

  @Test
  void beforeAnythingWasHeardClocksAreTakenToAgree() {
    assertThat(new ClockOffset().seconds()).isZero();
  }
}
