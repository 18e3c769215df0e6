package dev.holdfast.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.RankEvidence;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A node without others on a machine that gives it no processor for long. */
class LoneNodeTest {
  private final List<Effect> effects = new ArrayList<>();

  private final Node node =
      new Node(
          Setup.alone("j", FakeNode.member("n1", 0, 2), Timings.USUAL),
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

  private static RankEvidence ended(int exitCode, int signal) {
    return new RankEvidence(1, "n1", exitCode, signal, false, 0, List.of(), "", 0, -1);
  }

  private void train() {
    on(new Input.Tick(), 50);
    on(new Input.StoreOpened(0, new StoreKeeper.Place("h", 1)), 100);
    effects.clear();
  }

  @Test
  void aRankThatWasKilledIsNotExplainedByOthersSoNobodyIsWaitedFor() {
    train();
    on(new Input.Exited(ended(-1, 9)), 1_000);
    assertThat(effects).anyMatch(effect -> effect instanceof Effect.Stop);
  }

  @Test
  void aRankThatFailedMayBeAVictimSoTheOthersAreHeardFirst() {
    train();
    on(new Input.Exited(ended(1, 0)), 1_000);
    on(new Input.Tick(), 1_100);
    assertThat(effects).noneMatch(effect -> effect instanceof Effect.Stop);
    on(new Input.Tick(), 1_000 + Timings.USUAL.evidence().toMillis());
    assertThat(effects).anyMatch(effect -> effect instanceof Effect.Stop);
  }
}
