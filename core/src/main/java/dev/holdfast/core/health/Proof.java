package dev.holdfast.core.health;

import java.util.Locale;

/** How far a check has been proven. Only the first two may drive an action. */
public enum Proof {
  /** Seen to work on the real part. */
  HARDWARE,
  /** Seen to work on data recorded from the real part. */
  RECORDED,
  /** Written from documents; never drives an action. */
  DOCUMENTED;

  public boolean mayDriveAction() {
    return this != DOCUMENTED;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
