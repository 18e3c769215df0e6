package dev.holdfast.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.launch.job.RankActivity;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StragglerDetectorTest {
  /** A job whose ranks tell of a step when their own part of it is done, with noise. */
  private static StragglerDetector run(long seed, int ranks, int slow, double by, int steps) {
    StragglerDetector detector = new StragglerDetector(ranks, rank -> "n" + rank / 8, true);
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

  @Test
  void aClockThatIsOffIsNoStraggler() {
    StragglerDetector detector = new StragglerDetector(16, rank -> "n" + rank / 8, false);
    SplittableRandom random = new SplittableRandom(3);
    for (int step = 0; step < 100; step++) {
      for (int rank = 0; rank < 16; rank++) {
        detector.arrived(rank, step, step + (rank / 8) * 0.5 + 0.01 * random.nextDouble());
      }
    }
    assertThat(detector.stragglers()).isEmpty();
  }

  @Test
  void theOneThatWorksWhileOthersSleepIsNamed() {
    StragglerDetector detector = new StragglerDetector(4, _ -> "", true);
    SplittableRandom random = new SplittableRandom(4);
    double[] cpu = new double[4];
    for (int second = 0; second < 80; second++) {
      List<RankActivity> ranks = new ArrayList<>();
      for (int rank = 0; rank < 4; rank++) {
        cpu[rank] += (rank == 2 ? 1.0 : 0.75) + 0.03 * random.nextDouble();
        ranks.add(new RankActivity(rank, 1, 'S', cpu[rank], 0, 0, second, second, "", "", -1));
      }
      detector.worked(ranks);
    }
    assertThat(detector.stragglers()).hasSize(1);
    assertThat(detector.stragglers().getFirst().rank()).isEqualTo(2);
    assertThat(detector.stragglers().getFirst().byWork()).isTrue();
  }

  @Test
  void missingAndDisorderedStepsAreBorne() {
    StragglerDetector detector = new StragglerDetector(2, _ -> "", true);
    for (int step = 0; step < 10_000; step++) {
      detector.arrived(0, step, step);
      detector.arrived(0, step - 5, step);
      detector.arrived(0, step, Double.NaN);
    }
    assertThat(detector.stragglers()).isEmpty();
  }
}
