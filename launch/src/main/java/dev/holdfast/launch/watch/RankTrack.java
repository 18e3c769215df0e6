package dev.holdfast.launch.watch;

import dev.holdfast.launch.job.DeviceLoad;
import dev.holdfast.launch.job.RankActivity;

/**
 * Since when one rank shows no sign of progress, of which kind, and how busy it is. Times are those
 * of the detector's own clock, in seconds.
 *
 * <p>Progress is a step, a beat, output, or reading and writing. CPU time is not: a rank that waits
 * for others may well burn a core doing so, and its device too: a collective that waits for another
 * rank runs on it at 100 percent. Both only tell how a rank is quiet.
 */
final class RankTrack {
  /** Below this many cores a rank does nothing of its own; side threads alone stay below it. */
  static final double IDLE_CORES = 0.05;

  /** From this many cores on it works, or waits by turning in circles. */
  static final double BUSY_CORES = 0.3;

  /** From this percentage on its device works, or waits for others in a collective. */
  private static final int BUSY_PERCENT = 20;

  /** Up to this percentage its device does nothing; monitors and the like stay below it. */
  private static final int IDLE_PERCENT = 5;

  /** By how much the memory in use must change to show that something was done. */
  private static final long LEAST_MEMORY = 2 << 20;

  private static final double SMOOTHING_SECONDS = 3;
  private static final double LEAST_IO_RATE = 4096;
  private static final double USUAL_IO_SHARE = 0.02;
  private static final double USUAL_SECONDS = 600;
  private static final double KERNEL_SECONDS = 20;

  RankActivity last;
  double bornAt;
  double stepAt;
  double outputAt;
  double ioAt;
  double stoppedSince = Double.NaN;
  double idleSince = Double.NaN;
  double busySince = Double.NaN;
  double phaseSince = Double.NaN;
  double storeWaitSince = Double.NaN;
  double deviceBusySince = Double.NaN;
  double deviceIdleSince = Double.NaN;
  double memoryAt;
  double cores;
  double placeSince;
  Place place = Place.UNKNOWN;
  private double kernelSince = Double.NaN;
  private double kernelAt = Double.NEGATIVE_INFINITY;
  private double ioRate;
  private double usualIoRate;
  private boolean coresKnown;

  RankTrack(RankActivity first, double now) {
    last = first;
    begin(first, now);
  }

  private void begin(RankActivity first, double now) {
    last = first;
    bornAt = now;
    stepAt = now;
    outputAt = now;
    ioAt = now;
    stoppedSince = first.state() == 'T' ? now : Double.NaN;
    phaseSince = first.phase().isEmpty() ? Double.NaN : now;
    storeWaitSince = first.waitsFor().isEmpty() ? Double.NaN : now;
    idleSince = Double.NaN;
    busySince = Double.NaN;
    coresKnown = false;
    deviceBusySince = Double.NaN;
    deviceIdleSince = Double.NaN;
    memoryAt = now;
    place = Place.of(first.waitsIn());
    placeSince = now;
    kernelSince = Double.NaN;
    kernelAt = Double.NEGATIVE_INFINITY;
    ioRate = 0;
  }

  /**
   * @param seconds since the look before, by the real clock
   * @param counts whether that time counts; after a gap only the counters are taken over
   */
  void update(RankActivity next, double now, double seconds, boolean counts) {
    if (next.pid() != last.pid()) {
      begin(next, now);
      return;
    }
    RankActivity before = last;
    last = next;
    if (next.step() != before.step() || next.beats() != before.beats()) {
      stepAt = now;
    }
    if (next.outputBytes() != before.outputBytes()) {
      outputAt = now;
    }
    places(next, now);
    device(before.load(), next.load(), now);
    stoppedSince = since(stoppedSince, next.state() == 'T', now);
    storeWaitSince = since(storeWaitSince, !next.waitsFor().isEmpty(), now);
    if (!next.phase().equals(before.phase())) {
      phaseSince = next.phase().isEmpty() ? Double.NaN : now;
    }
    if (counts && seconds > 0) {
      rates(before, next, now, seconds);
    }
  }

  /** What is not known is neither busy nor idle. */
  private void device(DeviceLoad before, DeviceLoad next, double now) {
    deviceBusySince = since(deviceBusySince, next.percent() >= BUSY_PERCENT, now);
    deviceIdleSince =
        since(deviceIdleSince, next.percent() >= 0 && next.percent() <= IDLE_PERCENT, now);
    if (before.bytes() >= 0
        && next.bytes() >= 0
        && Math.abs(next.bytes() - before.bytes()) >= LEAST_MEMORY) {
      memoryAt = now;
    }
  }

  /** One look that does not know where it sleeps, because it was just awake, changes nothing. */
  private void places(RankActivity next, double now) {
    Place found = Place.of(next.waitsIn());
    if (found != Place.UNKNOWN && found != place) {
      place = found;
      placeSince = now;
    }
    kernelSince = since(kernelSince, next.state() == 'D', now);
    if (now - kernelSince >= 1) {
      kernelAt = now;
    }
  }

  private void rates(RankActivity before, RankActivity next, double now, double seconds) {
    double weight = Math.min(1, seconds / SMOOTHING_SECONDS);
    if (before.ioBytes() >= 0 && next.ioBytes() >= 0) {
      double rate = Math.max(0, next.ioBytes() - before.ioBytes()) / seconds;
      ioRate += weight * (rate - ioRate);
      if (now - stepAt < 2 || usualIoRate == 0) {
        usualIoRate += Math.min(1, seconds / USUAL_SECONDS) * (rate - usualIoRate);
      }
      double least = Math.max(LEAST_IO_RATE, USUAL_IO_SHARE * usualIoRate);
      if (rate >= least && ioRate >= least) {
        ioAt = now;
      }
    }
    if (before.cpuSeconds() >= 0 && next.cpuSeconds() >= 0) {
      busyness(Math.max(0, next.cpuSeconds() - before.cpuSeconds()) / seconds, weight, now);
    }
  }

  /**
   * Idle from the first second without work on, so that ranks which stop together are seen to stop
   * together however busy each was; no longer idle when the work of a few seconds says so.
   */
  private void busyness(double rate, double weight, double now) {
    boolean wasIdle = !Double.isNaN(idleSince);
    if (wasIdle ? cores + weight * (rate - cores) >= IDLE_CORES : rate < IDLE_CORES) {
      cores = rate;
    } else {
      cores = coresKnown ? cores + weight * (rate - cores) : rate;
    }
    coresKnown = true;
    idleSince = since(idleSince, cores < IDLE_CORES, now);
    busySince = since(busySince, cores >= BUSY_CORES, now);
  }

  private static double since(double earlier, boolean holds, double now) {
    if (!holds) {
      return Double.NaN;
    }
    return Double.isNaN(earlier) ? now : earlier;
  }

  boolean coresKnown() {
    return coresKnown;
  }

  /** When it last gave a sign of progress. */
  double progressAt() {
    return Math.max(stepAt, Math.max(outputAt, ioAt));
  }

  /** When it last did anything, work included, also with the memory of its device. */
  double lastLife() {
    double last = Math.max(progressAt(), memoryAt);
    return Double.isNaN(idleSince) ? last : Math.max(last, idleSince);
  }

  /** How long it has done nothing at all; 0 when it does something or that is not known. */
  double idleFor(double now) {
    return Double.isNaN(idleSince) ? 0 : now - idleSince;
  }

  double busyFor(double now) {
    return Double.isNaN(busySince) ? 0 : now - busySince;
  }

  double stoppedFor(double now) {
    return Double.isNaN(stoppedSince) ? 0 : now - stoppedSince;
  }

  double storeWaitFor(double now) {
    return Double.isNaN(storeWaitSince) ? 0 : now - storeWaitSince;
  }

  boolean alive() {
    char state = last.state();
    return state != 'Z' && state != 'X' && state != 'x';
  }

  /** Whether it is stuck in the kernel, or was a moment ago: a stalled disk comes and goes. */
  boolean stuckInKernel(double now) {
    return now - kernelAt < KERNEL_SECONDS;
  }

  double deviceBusyFor(double now) {
    return Double.isNaN(deviceBusySince) ? 0 : now - deviceBusySince;
  }

  double deviceIdleFor(double now) {
    return Double.isNaN(deviceIdleSince) ? 0 : now - deviceIdleSince;
  }

  boolean deviceKnown() {
    return last.load().percent() >= 0;
  }

  boolean deviceIdle() {
    return !Double.isNaN(deviceIdleSince);
  }
}
