package dev.holdfast.core.health;

import java.util.Locale;

/** Whose problem it is. */
public enum FaultClass {
  HARDWARE,
  NETWORK,
  STORAGE,
  CONFIGURATION,
  SOFTWARE,
  NUMERICS,
  USER,
  UNKNOWN;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
