package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.libc.CpuAffinity;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What is measured again because a hypervisor moved the cores apart. */
class CoreWatchTest {
  private static final List<Integer> CORES = List.of(0, 1);
  private static final long GRACE = 1_000_000_000;

  private final Deque<Double> distances = new ArrayDeque<>();
  private final List<String> told = new ArrayList<>();
  private int runs;

  private CoreWatch watch(boolean again, double... nanos) {
    for (double one : nanos) {
      distances.add(one);
    }
    return new CoreWatch(_ -> distances.removeFirst(), again, GRACE, told::add);
  }

  private int work() {
    return ++runs;
  }

  @Test
  void coresThatStayNearAreMeasuredOnce() throws IOException {
    CoreWatch watch = watch(true, 52, 58, 61, 90);
    assertThat(watch.during(CORES, this::work)).isEqualTo(1);
    assertThat(watch.during(CORES, this::work)).isEqualTo(2);
    assertThat(watch.notes()).isEmpty();
    assertThat(watch.furthest()).isEqualTo(90);
  }

  @Test
  void whatWasMeasuredWhileTheyWereApartIsMeasuredAgain() throws IOException {
    CoreWatch watch = watch(true, 52, 325, 320, 50, 55);
    assertThat(watch.during(CORES, this::work)).isEqualTo(2);
    assertThat(watch.furthest()).isEqualTo(55);
    assertThat(distances).isEmpty();
    assertThat(watch.notes())
        .containsExactly(
            "the hypervisor moved the cores apart and back (a line of cache took 50 ns there and"
                + " back at best): 1 measured again");
  }

  @Test
  void coresThatStayApartCountInTheEndAndItIsSaid() throws IOException {
    CoreWatch watch = watch(true, 52, 325, 60, 318, 61, 331, 62, 301);
    assertThat(watch.during(CORES, this::work)).isEqualTo(4);
    assertThat(watch.notes().getFirst())
        .contains("3 measured again, 1 counted although they were up to 301 ns apart");
  }

  @Test
  void whatTakesNoTimeIsNotWaitedForLong() throws IOException {
    // Near once, then never again: after a second in all, what is left is taken as it is.
    CoreWatch watch =
        new CoreWatch(
            _ -> distances.isEmpty() ? 320 : distances.removeFirst(), true, GRACE, told::add);
    distances.add(52.0);
    for (int i = 0; i < 20; i++) {
      watch.during(CORES, this::work);
    }
    assertThat(runs).isBetween(20, 24);
    assertThat(watch.notes().getFirst()).contains("20 counted although they were up to 320 ns");
  }

  @Test
  void aTurnIsNotWaitedForAsLongAsAllThatWasMeasured() throws IOException {
    int[] pauses = {0};
    CoreWatch.Distance apart =
        new CoreWatch.Distance() {
          @Override
          public double longest(List<Integer> cores) {
            return distances.isEmpty() ? 320 : distances.removeFirst();
          }

          @Override
          public void pause() {
            pauses[0]++;
          }
        };
    distances.add(52.0);
    CoreWatch watch = new CoreWatch(apart, true, Long.MAX_VALUE / 2, told::add);
    watch.during(CORES, this::work);
    assertThat(runs).isEqualTo(4);
    assertThat(pauses[0]).as("ten seconds before each of three more tries").isEqualTo(3 * 40);
    assertThat(told)
        .hasSize(3)
        .containsOnly("the hypervisor moved the cores apart: waiting, 10 s at most");
  }

  @Test
  void nothingIsMeasuredAgainWhenNobodyWantsItOrCoresAreNotKnown() throws IOException {
    CoreWatch watch = watch(false, 52, 325);
    assertThat(watch.during(CORES, this::work)).isEqualTo(1);
    assertThat(watch.notes().getFirst()).contains("at best): 1 counted although");
    CoreWatch unbound = watch(true);
    assertThat(unbound.during(List.of(), this::work)).isEqualTo(2);
    assertThat(unbound.furthest()).isZero();
    CoreWatch busy = watch(true, CoreDistance.UNKNOWN, CoreDistance.UNKNOWN);
    assertThat(busy.during(CORES, this::work)).isEqualTo(3);
    assertThat(busy.notes()).isEmpty();
  }

  @Test
  void theWayBetweenTwoRealCoresTakesNanoseconds() throws IOException {
    List<Integer> cores = CpuAffinity.permitted().stream().boxed().limit(2).toList();
    Assumptions.assumeTrue(cores.size() == 2, "there is one core only");
    double nanos = CoreDistance.longest(cores);
    // Longer than light needs through a chip, shorter than a network; 0 where others kept it busy.
    assertThat(nanos)
        .satisfiesAnyOf(
            it -> assertThat(it).isBetween(5.0, 100_000.0), it -> assertThat(it).isZero());
    assertThat(CoreDistance.longest(cores.subList(0, 1))).isZero();
  }

  @Test
  void ranksArePatientForLongerThanCoresAreWaitedFor() throws IOException {
    int[] seen = {0, 0};
    CoreWatch.Distance apart =
        new CoreWatch.Distance() {
          @Override
          public double longest(List<Integer> cores) {
            return seen[0]++ == 0 ? 50 : 500;
          }

          @Override
          public void pause() {
            seen[1]++;
          }
        };
    CoreWatch watch = new CoreWatch(apart, true, Long.MAX_VALUE / 2, told::add);
    List<Double> waits = new ArrayList<>();
    int[] before = new int[2];
    watch.during(
        CORES,
        () -> {
          waits.add(
              (seen[0] - before[0]) * CoreDistance.MOST_SECONDS + (seen[1] - before[1]) * 0.25);
          System.arraycopy(seen, 0, before, 0, 2);
          return work();
        });
    RankSettings impatient =
        new RankSettings(
            "127.0.0.1",
            1,
            "",
            0,
            2,
            "plan",
            Transport.SHM,
            1,
            "",
            RankSeat.of(0),
            "",
            0,
            1024,
            false,
            false,
            1);
    assertThat(waits).hasSize(4);
    assertThat(Collections.max(waits))
        .isGreaterThan(10)
        .isLessThan(RankProcess.patience(impatient));
  }
}
