package dev.holdfast.doctor.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class AnswersTest {
  private final Answers<String> answers = new Answers<>();

  @Test
  void eachQuestionIsAskedOnce() {
    AtomicInteger asked = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      assertThat(answers.ask("q", question -> question + asked.incrementAndGet())).isEqualTo("q1");
    }
  }

  @Test
  void aQuestionThatHangsHoldsUpNoOther() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Thread slow =
        Thread.ofPlatform()
            .daemon()
            .start(
                () ->
                    answers.ask(
                        "slow",
                        _ -> {
                          begun.countDown();
                          return waits(release);
                        }));
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < 1000; i++) {
      assertThat(answers.ask("q" + i, question -> question)).isEqualTo("q" + i);
    }
    assertThat(answers.known()).hasSize(1000).doesNotContainKey("slow");
    release.countDown();
    slow.join(10_000);
    assertThat(answers.known()).containsEntry("slow", "released");
  }

  @Test
  void aDefectReachesWhoAsked() {
    assertThatThrownBy(
            () ->
                answers.ask(
                    "q",
                    _ -> {
                      throw new IllegalArgumentException("broken");
                    }))
        .hasRootCauseMessage("broken");
    assertThat(answers.known()).isEmpty();
  }

  private static String waits(CountDownLatch release) {
    try {
      return release.await(10, TimeUnit.SECONDS) ? "released" : "never";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }
}
