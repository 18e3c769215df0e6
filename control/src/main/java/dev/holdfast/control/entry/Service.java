package dev.holdfast.control.entry;

import dev.holdfast.core.text.Words;
import java.util.Locale;

/**
 * Whether a node takes jobs, and if not, on its way where. Every state but the first has an exit.
 */
public enum Service {
  IN,
  /** Takes jobs, looked at closer. */
  SUSPECT,
  /** Takes no new job; one may still be there. */
  DRAINING,
  /** Nobody uses it. */
  DRAINED,
  /** The checks that failed are run again. */
  VERIFYING,
  /** Waits for people: a replacement, the vendor. */
  OUT;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Service of(String word) {
    return Words.read("the service", word, Service.class);
  }

  public boolean takesJobs() {
    return this == IN || this == SUSPECT;
  }
}
