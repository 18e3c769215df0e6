package dev.holdfast.bench.net;

import dev.holdfast.os.libc.CpuAffinity;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How far are cores apart? A line of cache goes to and fro between two of them; what the fastest
 * stretch took is how far they are. On a machine of its own that never changes. A hypervisor moves
 * virtual processors, and between two that no longer share a cache everything that passes from one
 * to the other takes several times as long: nobody's load shows it, and no time is stolen.
 */
final class CoreDistance {
  /** Not known: there were no two cores, or others kept them busy. */
  static final double UNKNOWN = 0;

  private static final int STRETCHES = 12;
  private static final int TRIPS = 2000;
  private static final long MOST_NANOS = 200_000_000;

  /** Neighbours among so many cores are looked at; more would take long and tell nothing new. */
  private static final int MOST_CORES = 8;

  private static final int SPINS = 1 << 12;

  /** Where the word is, with nothing else in its line of cache. */
  private static final int PLACE = 32;

  /** So long one look takes at most. */
  static final double MOST_SECONDS = (MOST_CORES - 1) * (MOST_NANOS / 1e9);

  private final AtomicLongArray line = new AtomicLongArray(2 * PLACE);
  private final CountDownLatch ready = new CountDownLatch(2);
  private final long end = System.nanoTime() + MOST_NANOS;

  private CoreDistance() {}

  /** The longest way between neighbours of these cores, in nanoseconds for both directions. */
  static double longest(List<Integer> cores) throws IOException {
    double longest = UNKNOWN;
    for (int i = 0; i + 1 < Math.min(cores.size(), MOST_CORES); i++) {
      longest = Math.max(longest, new CoreDistance().between(cores.get(i), cores.get(i + 1)));
    }
    return longest;
  }

  private double between(int first, int second) throws IOException {
    double[] best = {Double.POSITIVE_INFINITY};
    Thread other = start(second, () -> answer());
    Thread asking = start(first, () -> best[0] = ask());
    try {
      asking.join();
      other.join();
    } catch (InterruptedException interrupted) {
      throw new Stopped(interrupted);
    }
    return Double.isFinite(best[0]) ? best[0] : UNKNOWN;
  }

  private Thread start(int core, Runnable work) {
    return Thread.ofPlatform()
        .name("core " + core)
        .daemon()
        .start(
            () -> {
              BitSet one = new BitSet();
              one.set(core);
              try {
                CpuAffinity.bind(one);
                ready.countDown();
                ready.await();
                work.run();
              } catch (IOException refused) {
                // The other one gives up when its time is over.
              } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private double ask() {
    double best = Double.POSITIVE_INFINITY;
    long word = 0;
    for (int stretch = 0; stretch < STRETCHES; stretch++) {
      long before = System.nanoTime();
      for (int trip = 0; trip < TRIPS; trip++) {
        line.set(PLACE, ++word);
        if (!came(++word)) {
          return best;
        }
      }
      best = Math.min(best, (double) (System.nanoTime() - before) / TRIPS);
    }
    return best;
  }

  private void answer() {
    long word = 0;
    for (int trip = 0; trip < STRETCHES * TRIPS; trip++) {
      if (!came(++word)) {
        return;
      }
      line.set(PLACE, ++word);
    }
  }

  private boolean came(long word) {
    while (true) {
      for (int spin = 0; spin < SPINS; spin++) {
        if (line.get(PLACE) == word) {
          return true;
        }
      }
      if (System.nanoTime() - end > 0) {
        return false;
      }
    }
  }
}
