package dev.holdfast.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.launch.job.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The job is over: how long does the leader stay for a launcher that has not said goodbye? */
class LastWordTest {
  private static final Member LEADER = FakeNode.member("n1", 1, 1);
  private static final Member OTHER = FakeNode.member("n2", 2, 1);
  private static final long ENDED = 100;

  private final List<Effect> effects = new ArrayList<>();
  private final Node node =
      new Node(
          new Setup("j", LEADER, 3, 3, 0, "127.0.0.1", 1, true, "", Set.of(), Timings.USUAL),
          false,
          new FakeJudge(1, false),
          new SplittableRandom(1),
          0);

  private void on(Input input, long now) {
    effects.addAll(node.on(input, now));
  }

  /** The other, which has not read anything since the first moment. */
  private void renewed(JobRecord.@Nullable Ending ask, long now) {
    Message.Renew renew =
        new Message.Renew(1, now, 1, Version.NONE, -1, false, -1, false, 0, List.of(), null, ask);
    on(new Input.Received(OTHER, renew), now);
  }

  private boolean finished() {
    return effects.stream().anyMatch(effect -> effect instanceof Effect.Finish);
  }

  /** When it went, ticking from the end on; the other says something each second if it may. */
  private long wentAt(boolean speaks, long until) {
    for (long now = ENDED + 50; now <= until; now += 50) {
      on(new Input.Tick(), now);
      if (finished()) {
        return now;
      }
      if (speaks && now % 1_000 == 0) {
        renewed(null, now);
      }
    }
    return -1;
  }

  @BeforeEach
  void end() {
    on(new Input.Tick(), 10);
    renewed(new JobRecord.Ending(0, "enough"), ENDED);
    assertThat(effects)
        .anyMatch(
            effect ->
                effect instanceof Effect.Send send
                    && send.message() instanceof Message.Tell tell
                    && tell.ending() != null);
    assertThat(finished()).isFalse();
  }

  @Test
  void itWaitsForOneWhoHasNotReadYetThatTheJobIsOver() {
    assertThat(wentAt(true, 20_000)).isEqualTo(-1);
    on(new Input.Received(OTHER, new Message.Bye(1, "enough")), 20_010);
    assertThat(finished()).isTrue();
  }

  @Test
  void itDoesNotWaitForOneWhoIsSilent() {
    assertThat(wentAt(false, 20_000)).isBetween(ENDED + 2_000, ENDED + 2_100);
  }

  @Test
  void itDoesNotWaitForEver() {
    assertThat(wentAt(true, 90_000)).isBetween(ENDED + 60_000, ENDED + 60_100);
  }

  @Test
  void itsOwnPauseIsNotTheSilenceOfOthers() {
    on(new Input.Tick(), 6_000);
    on(new Input.Tick(), 6_050);
    assertThat(finished()).isFalse();
    on(new Input.Received(OTHER, new Message.Bye(1, "enough")), 6_100);
    assertThat(finished()).isTrue();
  }
}
