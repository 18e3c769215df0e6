package dev.holdfast.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A node without others on a machine that gives it no processor for long. */
class LoneNodeTest {
  private final List<Effect> effects = new ArrayList<>();

  private final Node node =
      new Node(
          Setup.alone("j", FakeNode.member("n1", 0, 1), Timings.USUAL),
          false,
          new FakeJudge(1, false),
          new SplittableRandom(1),
          0);

  private void on(Input input, long now) {
    effects.addAll(node.on(input, now));
  }

  @Test
  void whateverTheDelayItIsItsOwnMajority() {
    on(new Input.Tick(), 50);
    on(new Input.StoreOpened(0, new StoreKeeper.Place("h", 1)), 60_000);
    assertThat(effects).anyMatch(effect -> effect instanceof Effect.Start);
    effects.clear();
    for (long now : List.of(120_000L, 120_050L, 500_000L, 3_600_000L, 3_600_050L)) {
      on(new Input.Tick(), now);
    }
    assertThat(effects)
        .noneMatch(effect -> effect instanceof Effect.Stop)
        .noneMatch(effect -> effect instanceof Effect.Note)
        .noneMatch(effect -> effect instanceof Effect.Lease);
    assertThat(node.view(3_600_050).role()).isEqualTo("leader");
  }
}
