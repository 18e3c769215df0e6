package dev.holdfast.control.state;

import dev.holdfast.core.statistics.Poisson;

/**
 * What Holdfast did by itself, and what of that people called wrong.
 *
 * @param drains nodes it took out of service
 * @param wrongDrains of these
 * @param interruptions jobs it had restarted or stopped
 * @param wrongKills of these, and restarts launchers decided for their own jobs
 * @param wrongAdvice decisions that were called wrong and never acted
 */
public record Trust(
    long drains, long wrongDrains, long interruptions, long wrongKills, long wrongAdvice) {
  public static final double CONFIDENCE = 0.95;
  public static final Trust NEW = new Trust(0, 0, 0, 0, 0);

  private static final double THOUSAND = 1000;

  /** How often something happens in a thousand node-days, and how often it may at most. */
  public record Rate(long events, double perThousand, double upper) {
    static Rate of(long events, double nodeDays) {
      return new Rate(
          events,
          nodeDays > 0 ? THOUSAND * events / nodeDays : 0,
          nodeDays > 0 ? THOUSAND * Poisson.upper(events, CONFIDENCE) / nodeDays : Double.NaN);
    }
  }

  public Rate rate(long events, double nodeDays) {
    return Rate.of(events, nodeDays);
  }

  Trust drained() {
    return new Trust(drains + 1, wrongDrains, interruptions, wrongKills, wrongAdvice);
  }

  Trust interrupted() {
    return new Trust(drains, wrongDrains, interruptions + 1, wrongKills, wrongAdvice);
  }

  Trust wrong(boolean drain, boolean kill) {
    return new Trust(
        drains,
        wrongDrains + (drain ? 1 : 0),
        interruptions,
        wrongKills + (kill ? 1 : 0),
        wrongAdvice + (drain || kill ? 0 : 1));
  }
}
