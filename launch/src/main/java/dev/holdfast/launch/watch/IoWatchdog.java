package dev.holdfast.launch.watch;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Has the watched rank written nothing for too long? The rule of io-watchdog: in whole windows of
 * the timeout (so that it fires between one and two of them after the last output), or exactly one
 * timeout after it. Unlike that program it does not fire for a process that has ended.
 */
public final class IoWatchdog {
  private final WatchdogConfig.Effective settings;
  private double windowAt = Double.NaN;
  private double lastAt;
  private long lastBytes;
  private boolean wrote;
  private boolean done;

  public IoWatchdog(WatchdogConfig.Effective settings) {
    this.settings = settings;
  }

  public int rank() {
    return settings.rank();
  }

  /**
   * The names of the actions to run now, in order; empty: it is not time.
   *
   * @param bytes how much the rank has written by now, a count that only grows
   */
  public List<String> look(double nowSeconds, long bytes, boolean alive) {
    if (done || !alive) {
      return List.of();
    }
    if (Double.isNaN(windowAt)) {
      windowAt = nowSeconds;
      lastAt = nowSeconds;
      lastBytes = bytes;
      return List.of();
    }
    if (bytes != lastBytes) {
      lastBytes = bytes;
      lastAt = nowSeconds;
      wrote = true;
    }
    double from = settings.exact() ? Math.max(lastAt, windowAt) : windowAt;
    if (nowSeconds - from < settings.timeoutSeconds()) {
      return List.of();
    }
    boolean fires = settings.exact() || !wrote;
    windowAt = nowSeconds;
    wrote = false;
    done = fires && !settings.persistent();
    return fires ? settings.actions() : List.of();
  }

  /** What is said when it fires. */
  public String message(String program) {
    return String.format(
        Locale.ROOT,
        "rank %d (%s): nothing written for %.3f s",
        settings.rank(),
        program,
        settings.timeoutSeconds());
  }

  /** What the actions find in their environment. */
  public Map<String, String> environment(long pid, String program) {
    return Map.of(
        "IO_WATCHDOG_PID",
        Long.toString(pid),
        "IO_WATCHDOG_TARGET",
        program,
        "IO_WATCHDOG_TIMEOUT",
        String.format(Locale.ROOT, "%.3f", settings.timeoutSeconds()));
  }
}
