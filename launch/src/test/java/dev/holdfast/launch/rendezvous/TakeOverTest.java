package dev.holdfast.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A launcher takes over by the arbiter's word and knows the job only up to the moment in which it
 * was cut off: n2 ran attempt 0 with n1, heard nothing more, and then that n1 has left.
 */
class TakeOverTest {
  private static final Member N1 = new Member("n1", 1, "h1", 1, 1, 0);
  private static final Member N2 = new Member("n2", 1, "h2", 1, 1, 0);
  private static final Assignment FIRST = new Assignment("j", 0, 0, List.of(N1, N2), "h1", 29500);
  private static final Version VERSION = new Version(1, 1, 1);
  private static final long SILENCE = Timings.USUAL.silenceMillis();

  /** When it takes over. */
  private static final long THEN = 20_000;

  private final List<Effect> effects = new ArrayList<>();
  private final Node node =
      new Node(
          new Setup("j", N2, 1, 2, 0, "h1", 1, false, "", Set.of(), Timings.USUAL),
          true,
          new FakeJudge(3, false),
          new SplittableRandom(1),
          0);

  private void on(Input input, long now) {
    effects.addAll(node.on(input, now));
  }

  @BeforeEach
  void takeOver() {
    JobRecord record =
        new JobRecord(VERSION, List.of(N1, N2), Set.of(), "", FIRST, null, List.of("0"));
    on(new Input.Received(N1, new Message.Prepare(1, 1, record)), 100);
    on(
        new Input.Received(
            N1, new Message.Tell(1, 1, 100, 2, true, -1, 0, "", false, 0, VERSION, -1, 0, null)),
        150);
    assertThat(effects).contains(new Effect.Start(FIRST));
    // Cut off: its ranks end with the lease.
    on(new Input.Tick(), 8_000);
    assertThat(effects).anyMatch(effect -> effect instanceof Effect.Stop);
    on(new Input.Stopped(0), 8_100);
    on(new Input.Received(N1, new Message.Bye(1, "it has ended")), THEN - 10);
    on(new Input.Claimed(2, THEN), THEN);
    on(new Input.StoreClosed(0), THEN + 10);
    assertThat(node.view(THEN + 10).role()).isEqualTo("leader");
    assertThat(opened()).containsExactly(1);
  }

  private List<Integer> opened() {
    return effects.stream()
        .filter(effect -> effect instanceof Effect.OpenStore)
        .map(effect -> ((Effect.OpenStore) effect).attempt())
        .toList();
  }

  private void tickUntil(long from, long until) {
    for (long now = from; now <= until; now += 50) {
      on(new Input.Tick(), now);
      on(new Input.Claimed(2, now), now);
    }
  }

  @Test
  void itBeginsAtOnceWhereItKnowsTheNewestAttempt() {
    on(new Input.StoreOpened(1, new StoreKeeper.Place("h", 29501)), THEN + 20);
    assertThat(effects)
        .anyMatch(it -> it instanceof Effect.Start start && start.assignment().attempt() == 1);
  }

  /** Others may have run it with n1, and live on until their lease has run out. */
  @Test
  void itWaitsForALeaseWhereThereWasAnAttemptItDoesNotKnow() {
    on(new Input.StoreFailed(1, "there was such an attempt", true), THEN + 20);
    tickUntil(THEN + 50, THEN + SILENCE);
    assertThat(opened()).containsExactly(1);
    tickUntil(THEN + SILENCE + 1, THEN + SILENCE + 200);
    assertThat(opened()).containsExactly(1, 2);
    on(new Input.StoreOpened(2, new StoreKeeper.Place("h", 29502)), THEN + SILENCE + 250);
    assertThat(effects)
        .anyMatch(
            it ->
                it instanceof Effect.Start start
                    && start.assignment().attempt() == 2
                    // For losing n1, and for the attempt that nobody knows.
                    && start.assignment().restarts() == 2);
  }
}
