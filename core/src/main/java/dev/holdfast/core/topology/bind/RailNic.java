package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;

/**
 * A network adapter and whether ranks can use it.
 *
 * @param rail whether it is one of the adapters for traffic between GPUs, usable now or not
 * @param why why it is not used; empty where it is
 */
public record RailNic(Device device, boolean rail, boolean usable, String why) {
  public RailNic {
    if (usable != why.isEmpty() || usable && !rail) {
      throw new IllegalArgumentException(device.name() + ": usable without being so");
    }
  }

  static RailNic used(Device device) {
    return new RailNic(device, true, true, "");
  }

  /** One that belongs to the rails but cannot carry traffic now. */
  static RailNic failing(Device device, String why) {
    return new RailNic(device, true, false, why);
  }

  static RailNic foreign(Device device, String why) {
    return new RailNic(device, false, false, why);
  }

  public String name() {
    return device.name();
  }
}
