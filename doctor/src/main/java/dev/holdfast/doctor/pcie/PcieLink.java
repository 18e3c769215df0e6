package dev.holdfast.doctor.pcie;

import dev.holdfast.doctor.check.Examination;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One link of the tree: a device and the bridge above it.
 *
 * <p>A link can do what the weaker of its two ends can: a Gen4 drive in a Gen5 slot is as it should
 * be. So each link is judged against the lesser maximum, and every link on the way up to the root
 * is judged, because the narrow place is often above the device everybody looks at.
 */
record PcieLink(PciDevice device, PciDevice parent) {
  /**
   * Every link from a device of interest up to its root port. A GPU whose library tells of its own
   * link is left to {@code gpu.pcie.link}, which knows whether the GPU works or rests.
   */
  static List<PcieLink> of(Examination exam, PciDevices devices) {
    List<PcieLink> links = new ArrayList<>();
    for (PciDevice device : devices.requireOfInterest()) {
      if (!isFirst(device, devices) || toldByItsLibrary(exam, device)) {
        continue;
      }
      device.parent().flatMap(devices::at).ifPresent(up -> links.add(new PcieLink(device, up)));
    }
    return links;
  }

  /** The functions of one card share its link: the first speaks for all. */
  private static boolean isFirst(PciDevice device, PciDevices devices) {
    String address = device.address();
    String card = address.substring(0, address.length() - 1);
    return address.endsWith("0") || devices.at(card + "0").isEmpty();
  }

  OptionalDouble speed() {
    return device.speed("current_link_speed");
  }

  OptionalDouble possibleSpeed() {
    OptionalDouble own = device.speed("max_link_speed");
    OptionalDouble above = parent.speed("max_link_speed");
    return own.isPresent() && above.isPresent()
        ? OptionalDouble.of(Math.min(own.getAsDouble(), above.getAsDouble()))
        : OptionalDouble.empty();
  }

  OptionalDouble lanes() {
    var lanes = device.lanes("current_link_width");
    return lanes.isPresent() ? OptionalDouble.of(lanes.getAsInt()) : OptionalDouble.empty();
  }

  OptionalDouble possibleLanes() {
    var own = device.lanes("max_link_width");
    var above = parent.lanes("max_link_width");
    return own.isPresent() && above.isPresent()
        ? OptionalDouble.of(Math.min(own.getAsInt(), above.getAsInt()))
        : OptionalDouble.empty();
  }

  /** What hangs on this link, for the summary. */
  String users(PciDevices devices) {
    return device.bridge() ? "the bridge above " + devices.below(device) : "the " + device.kind();
  }

  /** Whether a low speed may be mere idling: GPUs slow their link when they rest. */
  boolean mayRest() {
    // A GPU of AMD brings bridges of its own, which rest together with it.
    return device.accelerator() || device.bridge() && device.vendor() == PciDevice.AMD;
  }

  private static boolean toldByItsLibrary(Examination exam, PciDevice device) {
    return device.accelerator()
        && exam.accelerators()
            .at(device.address())
            .filter(gpu -> gpu.number("pci.width.current").isPresent())
            .isPresent();
  }
}
