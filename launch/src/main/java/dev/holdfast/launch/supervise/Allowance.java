package dev.holdfast.launch.supervise;

/**
 * May another line be shown? So many at once after a quiet time, then so many a second. Once one
 * was refused, the next is shown when a second's worth has gathered: so a flood is told of once a
 * second, not between every two lines.
 */
final class Allowance {
  private final double perNano;
  private final double most;
  private final double second;
  private double saved;
  private long last;
  private boolean refusing;

  Allowance(int perSecond, int burst, long now) {
    this.perNano = perSecond / 1e9;
    this.most = Math.max(burst, perSecond);
    this.second = perSecond;
    this.saved = most;
    this.last = now;
  }

  boolean take(long now) {
    saved = Math.min(most, saved + (now - last) * perNano);
    last = now;
    if (saved < 1 || (refusing && saved < second)) {
      refusing = true;
      return false;
    }
    refusing = false;
    saved--;
    return true;
  }
}
