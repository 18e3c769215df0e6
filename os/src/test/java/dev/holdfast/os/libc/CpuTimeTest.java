package dev.holdfast.os.libc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The work of other threads counts, our own does not. */
class CpuTimeTest {
  private static final long WORK = 500_000_000;

  @Test
  void onlyTheWorkOfOthersCounts() throws InterruptedException {
    long start = CpuTime.ofOthers();
    work();
    long own = CpuTime.ofOthers() - start;
    Thread other = new Thread(CpuTimeTest::work);
    other.start();
    other.join();
    long both = CpuTime.ofOthers() - start;
    assertThat(both - own).isGreaterThanOrEqualTo(WORK);
    assertThat(own).as("our own work is not among it").isLessThan(WORK);
  }

  /** Until this thread has used as much. */
  private static void work() {
    var clock = java.lang.management.ManagementFactory.getThreadMXBean();
    AtomicLong sum = new AtomicLong();
    long end = clock.getCurrentThreadCpuTime() + WORK;
    while (clock.getCurrentThreadCpuTime() < end) {
      sum.addAndGet(1);
    }
  }
}
