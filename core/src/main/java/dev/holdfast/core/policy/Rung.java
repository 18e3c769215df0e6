package dev.holdfast.core.policy;

import java.util.Locale;

/** What can be done about a fault, mildest first: one ladder for all vendors. */
public enum Rung {
  /** Keep it on record. */
  NOTE,
  /** Look closer and count; the node is marked as suspect. */
  WATCH,
  /** Start the program that serves the device again. */
  RESTART_PROCESS,
  /** Reset the device once no job uses it. */
  RESET_DEVICE,
  /** No new job; the one that runs may end. */
  DRAIN_AFTER_JOB,
  /** No new job; the one that runs leaves the node once its next checkpoint is complete. */
  DRAIN_AT_CHECKPOINT,
  /** No new job; the one that runs leaves the node at once. */
  DRAIN_NOW,
  /** Out of service, another node takes its place. */
  REPLACE,
  /** Out of service until the vendor has replaced the part. */
  RMA;

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static Rung of(String word) {
    for (Rung rung : values()) {
      if (rung.word().equals(word)) {
        return rung;
      }
    }
    throw new IllegalArgumentException("no such action: " + word);
  }

  public boolean atLeast(Rung other) {
    return compareTo(other) >= 0;
  }

  /** Whether the node takes no new job afterwards, which is what the guard counts. */
  public boolean takesNodeOut() {
    return atLeast(DRAIN_AFTER_JOB);
  }

  /** Whether a job that runs there is interrupted. */
  public boolean interruptsJob() {
    return this == DRAIN_NOW || this == DRAIN_AT_CHECKPOINT || atLeast(REPLACE);
  }
}
