package dev.holdfast.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.launch.job.StepTime;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class StepTimesTest {
  private static Beat beat(long step, double at) {
    return new Beat(at, step, OptionalDouble.empty(), OptionalDouble.empty(), "", Beat.Event.NONE);
  }

  /** All that is kept of steps of this length over a minute, looked at once a second. */
  private static List<StepTime> minute(double stepSeconds, long firstStep) {
    StepTimes times = new StepTimes();
    List<StepTime> all = new ArrayList<>();
    long step = firstStep;
    double at = 0;
    for (int second = 1; second <= 60; second++) {
      List<Beat> fresh = new ArrayList<>();
      for (; at + stepSeconds <= second; step++) {
        at += stepSeconds;
        fresh.add(beat(step, at));
      }
      times.told(fresh, 0, second);
      times.latest().stream().filter(time -> !all.contains(time)).forEach(all::add);
    }
    return all;
  }

  @Test
  void slowStepsAreAllKept() {
    assertThat(minute(3, 7)).hasSize(20).first().isEqualTo(new StepTime(7, 3));
  }

  @Test
  void ofFastStepsAboutOneASecondIsKept() {
    for (double seconds : new double[] {0.9, 0.3, 0.05, 0.004}) {
      assertThat(minute(seconds, 0)).as(seconds + " s").hasSizeBetween(20, 75);
    }
  }

  @Test
  void ranksPickTheSameStepsWhereverTheyBegan() {
    List<Long> one = minute(0.05, 0).stream().map(StepTime::step).toList();
    List<Long> other = minute(0.05, 0).stream().map(StepTime::step).toList();
    List<Long> later = minute(0.04, 3).stream().map(StepTime::step).toList();
    assertThat(other).isEqualTo(one);
    assertThat(later.stream().filter(one::contains).count()).isGreaterThan(20);
  }

  @Test
  void beatsOfAnotherTimeAreLeftOut() {
    StepTimes times = new StepTimes();
    times.told(List.of(beat(1, 1e9), beat(2, -1e9), beat(3, Double.NaN)), 0, 10);
    assertThat(times.latest()).isEmpty();
    times.told(List.of(beat(4, 1_000_000_009)), -1e9, 10);
    assertThat(times.latest()).containsExactly(new StepTime(4, 9));
  }
}
