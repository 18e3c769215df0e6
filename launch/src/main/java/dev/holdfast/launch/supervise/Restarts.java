package dev.holdfast.launch.supervise;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** May it be started once more? So often within a sliding time. */
final class Restarts {
  private final int most;
  private final long window;
  private final Deque<Long> times = new ArrayDeque<>();

  Restarts(int most, Duration window) {
    this.most = most;
    this.window = window.toNanos();
  }

  boolean allow(long now) {
    while (!times.isEmpty() && now - times.peekFirst() > window) {
      times.removeFirst();
    }
    if (times.size() >= most) {
      return false;
    }
    times.addLast(now);
    return true;
  }
}
