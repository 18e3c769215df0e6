package dev.holdfast.core.kernel;

import java.util.Locale;

/**
 * What to do about a line of the kernel log, in one word. The tables hold these words; the text of
 * a {@link KernelEvent#remedy()} says the same at length.
 */
public enum NextStep {
  /** Nothing: note it. */
  NONE("nothing to do"),
  /** Find the event this one follows and treat that. */
  FOLLOW("treat the event it follows"),
  /** The job lost work; the device is fine. */
  RESTART_JOB("restart the job"),
  /** The job or its libraries did it. */
  CHECK_JOB("look for the fault in the job"),
  /** Fabric manager, IMEX, a mount, a daemon. */
  RESTART_SERVICE("restart the service"),
  UPDATE_SOFTWARE("update driver or firmware"),
  FIX_CONFIGURATION("correct the configuration"),
  /** When the running job ends. */
  RESET_AT_DRAIN("reset the GPU once its job has ended"),
  RESET_GPU("reset the GPU"),
  REBOOT_NODE("reboot the node"),
  /** Cables, seating, power leads, cooling. */
  CHECK_HARDWARE("inspect the hardware"),
  /** Vendor diagnostic, then a return. */
  CONTACT_VENDOR("run the vendor's diagnostic and contact support"),
  /** The vendor has not published an action. */
  UNKNOWN("no published action: report it once");

  private final String phrase;

  NextStep(String phrase) {
    this.phrase = phrase;
  }

  public String phrase() {
    return phrase;
  }

  /** The word used in the tables: {@code reset-gpu}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
