package dev.holdfast.doctor.pcie;

import dev.holdfast.doctor.check.Examination;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Function;

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

  /** What a link does, and what the weaker of its ends can do. */
  record Use(double now, double possible) {}

  /**
   * Judges every link of the node by one measure: counts those in full use and hands on the others.
   */
  static void judge(
      Examination exam,
      PciDevices devices,
      String full,
      Function<PcieLink, Optional<Use>> measure,
      BiConsumer<PcieLink, Use> lesser) {
    int well = 0;
    int judged = 0;
    for (PcieLink link : of(exam, devices)) {
      Optional<Use> use = measure.apply(link);
      if (use.isEmpty()) {
        continue;
      }
      judged++;
      if (use.get().now() >= use.get().possible()) {
        well++;
      } else {
        lesser.accept(link, use.get());
      }
    }
    if (well > 0) {
      exam.pass(well + " links " + full);
    } else if (judged == 0) {
      exam.skip(PciDevices.NONE);
    }
  }

  /** In GT/s. */
  Optional<Use> speed() {
    OptionalDouble now = device.speed("current_link_speed");
    OptionalDouble own = device.speed("max_link_speed");
    OptionalDouble above = parent.speed("max_link_speed");
    return now.isPresent() && own.isPresent() && above.isPresent()
        ? Optional.of(new Use(now.getAsDouble(), Math.min(own.getAsDouble(), above.getAsDouble())))
        : Optional.empty();
  }

  Optional<Use> lanes() {
    OptionalInt now = device.lanes("current_link_width");
    OptionalInt own = device.lanes("max_link_width");
    OptionalInt above = parent.lanes("max_link_width");
    return now.isPresent() && own.isPresent() && above.isPresent()
        ? Optional.of(new Use(now.getAsInt(), Math.min(own.getAsInt(), above.getAsInt())))
        : Optional.empty();
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
