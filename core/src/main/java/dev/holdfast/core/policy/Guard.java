package dev.holdfast.core.policy;

import java.time.Duration;

/**
 * How much may be taken out of service before a person is asked. What would go beyond is held, and
 * said.
 *
 * @param share of all nodes that may be out at the same time by our doing, 0.05 is a twentieth
 * @param nodes that may be out at the same time by our doing, whatever the share allows
 * @param perRack nodes of one rack
 * @param perJob nodes of one job within {@code window}
 * @param burst nodes that may be taken out within {@code window}; beyond, the guard trips and
 *     nothing is taken out until a person resets it
 */
public record Guard(double share, int nodes, int perRack, int perJob, int burst, Duration window) {
  public Guard {
    if (share <= 0 || share > 1 || nodes < 1 || perRack < 1 || perJob < 1 || burst < 1) {
      throw new IllegalArgumentException("a guard that allows nothing or everything");
    }
  }

  /** At least one node may always be taken out, or small clusters would have no cure at all. */
  public int allowed(int all) {
    return Math.max(1, Math.min(nodes, (int) (all * share)));
  }
}
