package dev.holdfast.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SimulationTest {
  /** More with {@code -Dsimulation.schedules=1000000 -Dsimulation.first=1}. */
  private static final long SCHEDULES = Long.getLong("simulation.schedules", 20_000);

  private static final long FIRST = Long.getLong("simulation.first", 1);

  @Test
  void noHistoryRunsTwoAttemptsAtOnceAndEachGoesOn() {
    AtomicLong starts = new AtomicLong();
    LongStream.range(FIRST, FIRST + SCHEDULES)
        .parallel()
        .forEach(
            seed -> {
              Simulation simulation = new Simulation(seed);
              try {
                simulation.play();
              } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
              }
              starts.addAndGet(simulation.starts);
            });
    assertThat(starts.get()).isGreaterThan(SCHEDULES);
  }
}
