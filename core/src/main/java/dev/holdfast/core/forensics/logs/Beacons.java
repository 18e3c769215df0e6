package dev.holdfast.core.forensics.logs;

import java.util.Arrays;

/**
 * When one speaker told of events that others tell of, too: steps, by which clocks are compared.
 *
 * <p>Only a few are kept, and always those with the lowest hash, so that all speakers keep the same
 * ones without knowing of each other.
 */
final class Beacons {
  private static final int MOST = 32;

  private long[] keys = new long[0];
  private long[] times = new long[0];
  private int size;

  /** Notes an event; only its first time counts. */
  void add(long event, long time) {
    if (time == Stamp.NONE) {
      return;
    }
    long key = mix(event);
    if (size == MOST && key >= keys[MOST - 1]) {
      return;
    }
    int found = Arrays.binarySearch(keys, 0, size, key);
    if (found >= 0) {
      return;
    }
    int at = -found - 1;
    if (size == keys.length && size < MOST) {
      int larger = Math.max(4, Math.min(MOST, 2 * size));
      keys = Arrays.copyOf(keys, larger);
      times = Arrays.copyOf(times, larger);
    }
    int moved = Math.min(size, MOST - 1) - at;
    System.arraycopy(keys, at, keys, at + 1, moved);
    System.arraycopy(times, at, times, at + 1, moved);
    keys[at] = key;
    times[at] = time;
    size = Math.min(size + 1, MOST);
  }

  int size() {
    return size;
  }

  long key(int index) {
    return keys[index];
  }

  long time(int index) {
    return times[index];
  }

  private static long mix(long value) {
    long x = value * 0x9E3779B97F4A7C15L;
    x ^= x >>> 32;
    x *= 0xD6E8FEB86659FD93L;
    return x ^ x >>> 29;
  }
}
