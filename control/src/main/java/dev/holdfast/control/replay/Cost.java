package dev.holdfast.control.replay;

import java.time.Duration;

/**
 * What a decision cost in device-hours.
 *
 * @param out accelerators of nodes nobody could use because of it, times how long
 * @param restarts accelerators of jobs it interrupted, times the work repeated and the restart
 */
public record Cost(double out, double restarts) {
  public static final Cost NOTHING = new Cost(0, 0);

  public double hours() {
    return out + restarts;
  }

  Cost plus(Cost more) {
    return new Cost(out + more.out, restarts + more.restarts);
  }

  static double hours(int devices, Duration time) {
    return devices * (time.toMillis() / 3_600_000.0);
  }
}
