package dev.holdfast.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.launch.job.RankActivity;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StragglerDetectorTest {
  private static StragglerDetector detector(int ranks) {
    return new StragglerDetector(
        IntStream.range(0, ranks).boxed().toList(), rank -> "n" + rank / 8);
  }

  /** A job whose ranks tell of a step when their own part of it is done, with noise. */
  private static StragglerDetector run(long seed, int ranks, int slow, double by, int steps) {
    StragglerDetector detector = detector(ranks);
    SplittableRandom random = new SplittableRandom(seed);
    double now = 1000;
    for (int step = 0; step < steps; step++) {
      now += 1;
      for (int rank = 0; rank < ranks; rank++) {
        double noise = 0.02 * (random.nextDouble() + random.nextDouble() - 1);
        double wild = random.nextInt(50) == 0 ? random.nextDouble() : 0;
        detector.arrived(rank, step, now + noise + wild + (rank == slow ? by : 0));
      }
    }
    return detector;
  }

  @Test
  void aRankThatIsLateByATenthOfAStepIsNamed() {
    for (int seed = 0; seed < 100; seed++) {
      List<StragglerDetector.Straggler> found = run(seed, 16, 11, 0.1, 200).stragglers();
      assertThat(found).hasSize(1);
      assertThat(found.getFirst().rank()).isEqualTo(11);
      assertThat(found.getFirst().node()).isEqualTo("n1");
      assertThat(found.getFirst().share()).isBetween(0.07, 0.13);
      assertThat(found.getFirst().text()).contains("rank 11 on n1", "last");
    }
  }

  @Test
  void nobodyIsNamedWhereNobodyIsLate() {
    int asked = 0;
    for (int seed = 0; seed < 400; seed++) {
      for (int ranks : new int[] {2, 8, 32}) {
        assertThat(run(seed, ranks, -1, 0, 60).stragglers()).as("seed " + seed).isEmpty();
        asked++;
      }
    }
    assertThat(asked).isEqualTo(1200);
  }

  @Test
  void latenessBelowFivePercentIsNotWorthALine() {
    assertThat(run(1, 8, 3, 0.03, 200).stragglers()).isEmpty();
  }

  /** Steps of a second on nodes of eight; what each is late by. */
  private static List<StragglerDetector.Straggler> late(
      int ranks, double noise, IntToDoubleFunction by) {
    StragglerDetector detector = detector(ranks);
    SplittableRandom random = new SplittableRandom(3);
    for (int step = 0; step < 100; step++) {
      for (int rank = 0; rank < ranks; rank++) {
        double at = step + by.applyAsDouble(rank) + noise * random.nextDouble();
        detector.arrived(rank, step, at);
      }
    }
    return detector.stragglers();
  }

  @Test
  void aWholeSlowNodeIsNamedAndNoneOfItsRanks() {
    List<StragglerDetector.Straggler> found = late(64, 0.05, rank -> rank / 8 == 5 ? 0.12 : 0);
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().rank()).isEqualTo(-1);
    assertThat(found.getFirst().node()).isEqualTo("n5");
    assertThat(found.getFirst().share()).isBetween(0.1, 0.14);
    assertThat(found.getFirst().text()).startsWith("all ranks on n5 end their steps last, by 12 %");
  }

  @Test
  void ofTwoNodesTheSlowOneIsNamed() {
    List<StragglerDetector.Straggler> found = late(16, 0.05, rank -> rank / 8 == 1 ? 0.12 : 0);
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().node()).isEqualTo("n1");
    assertThat(found.getFirst().share()).isBetween(0.1, 0.14);
  }

  @Test
  void aSlowRankIsFoundByItsOwnNodesClock() {
    // Its node is early by more than it is late, so among all ranks it would not be the last.
    List<StragglerDetector.Straggler> found =
        late(64, 0.01, rank -> (rank / 8 == 2 ? -0.1 : 0) + (rank == 19 ? 0.08 : 0));
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().rank()).isEqualTo(19);
    assertThat(found.getFirst().node()).isEqualTo("n2");
  }

  @Test
  void clocksThatDisagreeByMillisecondsMakeNoStraggler() {
    StragglerDetector detector = detector(32);
    SplittableRandom random = new SplittableRandom(3);
    for (int step = 0; step < 200; step++) {
      for (int rank = 0; rank < 32; rank++) {
        double clock = rank / 8 == 1 ? 0.015 : 0;
        detector.arrived(rank, step, 0.1 * step + clock + 0.002 * random.nextDouble());
      }
    }
    assertThat(detector.stragglers()).isEmpty();
  }

  @Test
  void whereEachNodeHasOneRankThatRankIsNamed() {
    StragglerDetector detector = new StragglerDetector(List.of(0, 1, 2, 3), rank -> "host" + rank);
    for (int step = 0; step < 60; step++) {
      for (int rank = 0; rank < 4; rank++) {
        detector.arrived(rank, step, step + (rank == 2 ? 0.2 : 0.001 * rank));
      }
    }
    assertThat(detector.stragglers()).hasSize(1);
    assertThat(detector.stragglers().getFirst().text()).startsWith("rank 2 on host2 ends its");
  }

  @Test
  void thousandsOfRanksAreComparedInMilliseconds() {
    int ranks = 8192;
    long begun = System.nanoTime();
    List<StragglerDetector.Straggler> found = late(ranks, 0.02, rank -> rank == 4711 ? 0.2 : 0);
    double millisARound = (System.nanoTime() - begun) / 1e6 / 100;
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().rank()).isEqualTo(4711);
    assertThat(millisARound).isLessThan(200);
  }

  @Test
  void theOneThatWorksWhileOthersSleepIsNamed() {
    StragglerDetector detector = new StragglerDetector(List.of(0, 1, 2, 3), _ -> "");
    SplittableRandom random = new SplittableRandom(4);
    double[] cpu = new double[4];
    for (int second = 0; second < 80; second++) {
      List<RankActivity> ranks = new ArrayList<>();
      for (int rank = 0; rank < 4; rank++) {
        cpu[rank] += (rank == 2 ? 1.0 : 0.75) + 0.03 * random.nextDouble();
        ranks.add(new RankActivity(rank, 1, 'S', cpu[rank], 0, 0, second, second, "", "", ""));
      }
      detector.worked(ranks);
    }
    assertThat(detector.stragglers()).hasSize(1);
    assertThat(detector.stragglers().getFirst().rank()).isEqualTo(2);
    assertThat(detector.stragglers().getFirst().byWork()).isTrue();
  }

  @Test
  void missingAndDisorderedStepsAreBorne() {
    StragglerDetector detector = new StragglerDetector(List.of(0, 1), _ -> "");
    for (int step = 0; step < 10_000; step++) {
      detector.arrived(0, step, step);
      detector.arrived(0, step - 5, step);
      detector.arrived(0, step, Double.NaN);
    }
    assertThat(detector.stragglers()).isEmpty();
  }
}
