package dev.holdfast.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NumericsWatchTest {
  private static final long SECOND = 1_000_000_000L;

  private static List<Beat> losses(double... values) {
    List<Beat> beats = new ArrayList<>();
    for (double value : values) {
      beats.add(
          new Beat(
              0,
              beats.size(),
              OptionalDouble.of(value),
              OptionalDouble.empty(),
              "",
              Beat.Event.NONE));
    }
    return beats;
  }

  private static List<Beat> usual(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return losses(random.doubles(count, 1.5, 3.5).toArray());
  }

  /** What is found when this rank has told this, and nobody else follows. */
  private static List<Diagnosis> later(NumericsWatch watch, int rank, List<Beat> beats) {
    watch.look(rank, beats, 0);
    return watch.found((NumericsWatch.SECONDS + 1) * SECOND);
  }

  @Test
  void lossesThatAreNoNumbersAnyMoreAreToldOnce() {
    NumericsWatch watch = new NumericsWatch();
    double nan = Double.NaN;
    assertThat(later(watch, 3, usual(100, 1))).isEmpty();
    assertThat(later(watch, 3, losses(nan, nan, nan, nan))).isEmpty();
    Diagnosis verdict = later(watch, 3, losses(nan)).getFirst();
    assertThat(verdict.kind()).isEqualTo(FailureClass.NUMERICS);
    assertThat(verdict.ranks()).containsExactly(3);
    assertThat(verdict.what()).isEqualTo("the loss of rank 3 is no number any more: NaN");
    assertThat(later(watch, 3, losses(nan, nan, nan, nan, nan, nan))).isEmpty();
  }

  @Test
  void ranksThatAreLostTogetherAreToldAsOne() {
    NumericsWatch watch = new NumericsWatch();
    double nan = Double.NaN;
    for (int rank = 0; rank < 4; rank++) {
      watch.look(rank, usual(40, rank), 0);
    }
    for (int rank = 0; rank < 3; rank++) {
      watch.look(rank, losses(nan, nan, nan, nan, nan), SECOND);
      assertThat(watch.found(SECOND)).isEmpty();
    }
    watch.look(3, losses(nan, nan, nan, nan, nan), 2 * SECOND);
    List<Diagnosis> found = watch.found(2 * SECOND);
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().ranks()).containsExactly(0, 1, 2, 3);
    assertThat(found.getFirst().what())
        .isEqualTo("the loss of ranks 0-3 is no number any more: NaN");
    assertThat(found.getFirst().evidence()).hasSize(4);
    assertThat(watch.found(20 * SECOND)).isEmpty();
  }

  @Test
  void aRankThatIsLostLaterIsToldAloneAndASecondTroubleAgain() {
    NumericsWatch watch = new NumericsWatch();
    double nan = Double.NaN;
    watch.look(0, usual(40, 1), 0);
    watch.look(1, usual(40, 2), 0);
    watch.look(0, losses(nan, nan, nan, nan, nan), 0);
    assertThat(watch.found(SECOND)).isEmpty();
    assertThat(watch.found(NumericsWatch.SECONDS * SECOND).getFirst().ranks()).containsExactly(0);
    watch.look(1, losses(nan, nan, nan, nan, nan), 9 * SECOND);
    assertThat(watch.found(9 * SECOND).getFirst().ranks()).containsExactly(1);
    watch.look(0, losses(2, 2, nan, nan, nan, nan, nan), 10 * SECOND);
    assertThat(watch.found(20 * SECOND).getFirst().ranks()).containsExactly(0);
  }

  @Test
  void aRankThatTellsNoNumbersIsNotWaitedFor() {
    NumericsWatch watch = new NumericsWatch();
    double nan = Double.NaN;
    watch.look(1, List.of(Beat.ofStep(7)), 0);
    watch.look(0, losses(nan, nan, nan, nan, nan), 0);
    assertThat(watch.found(0)).hasSize(1);
  }

  @Test
  void spikesAreNotTold() {
    NumericsWatch watch = new NumericsWatch();
    for (int i = 0; i < 200; i++) {
      assertThat(later(watch, 0, usual(20, i))).isEmpty();
      assertThat(later(watch, 0, losses(90, 200, Double.POSITIVE_INFINITY))).isEmpty();
    }
  }

  @Test
  void aLossThatStaysTenTimesAboveTheUsualIsTold() {
    NumericsWatch watch = new NumericsWatch();
    watch.look(0, usual(100, 2), 0);
    assertThat(later(watch, 0, losses(60, 70, 80, 90, 100)).getFirst().what()).contains("explodes");
  }
}
