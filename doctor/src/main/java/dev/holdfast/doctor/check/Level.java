package dev.holdfast.doctor.check;

import java.util.Locale;

/** How much a check may disturb the node. Each level includes the ones before it. */
public enum Level {
  /** Only reads; safe beside a running job. */
  PASSIVE,
  /** Active tests of at most a minute on an idle node. */
  QUICK,
  /** Active tests of several minutes on an idle node. */
  FULL;

  public boolean includes(Level other) {
    return compareTo(other) >= 0;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
