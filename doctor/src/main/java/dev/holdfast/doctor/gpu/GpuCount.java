package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.accelerator.AcceleratorSlot;
import dev.holdfast.doctor.accelerator.PartialView;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Unavailable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Three witnesses of how many accelerators there are: the PCI bus, the driver's library, and the
 * site. A GPU that fell off the bus is often still on it and gone from the library; one that died
 * before the boot is in neither, and only the site knows.
 */
public final class GpuCount implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.count",
              "Are all accelerators there, on the bus and for the driver?",
              FaultClass.HARDWARE,
              Proof.RECORDED)
          .reads("/sys/bus/pci/devices/*/{class,vendor,device,driver}", "nvml gpu.count")
          .meaning(
              "A job that asks for the whole node does not start, or starts with too few ranks and"
                  + " waits for the rest until a timeout.")
          .remedy(
              "Look for the reason: dmesg | grep -i -e NVRM -e amdgpu -e 'fallen off'; reboot the"
                  + " node, power-cycle it if the device stays away, then have it inspected");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<AcceleratorSlot> slots =
        exam.accelerators().slots().stream().filter(slot -> !slot.givenAway()).toList();
    List<Accelerator> devices =
        exam.accelerators().all().stream().filter(GpuCount::answers).toList();
    Optional<Integer> expected = exam.site().expected("gpu.count").map(GpuCount::whole);
    if (expected.isEmpty()) {
      exam.accelerators().requireHardware();
    }
    boolean settled = expected.isPresent() && unexpected(exam, expected.get(), devices, slots);
    settled |= missing(exam, devices, slots);
    if (!settled && !devices.isEmpty()) {
      exam.pass("%d on the bus and for the driver".formatted(devices.size()));
    }
  }

  /** Whether the site's word settled the answer: too few, or not to be told from here. */
  private static boolean unexpected(
      Examination exam, int expected, List<Accelerator> devices, List<AcceleratorSlot> slots) {
    if (devices.size() == expected) {
      return false;
    }
    Optional<String> partial = PartialView.reason(exam.node());
    if (partial.isPresent() && devices.size() < expected) {
      exam.skip(partial.get());
      return true;
    }
    exam.fatal(
            exam.here(),
            "%d accelerators answer, the site expects %d".formatted(devices.size(), expected))
        .evidence("site gpu.count", expected)
        .evidence("driver", devices.size())
        .evidence("/sys/bus/pci/devices", slots.size());
    return true;
  }

  /** What is on the bus and does not answer the driver's library. */
  private static boolean missing(
      Examination exam, List<Accelerator> devices, List<AcceleratorSlot> slots) {
    List<AcceleratorSlot> lost =
        slots.stream()
            .filter(GpuCount::shouldAnswer)
            .filter(
                slot -> devices.stream().noneMatch(device -> device.key().equals(slot.address())))
            .toList();
    boolean addressesKnown =
        devices.stream().allMatch(device -> device.text("pci.address").isPresent());
    if (lost.isEmpty() || !addressesKnown) {
      return false;
    }
    Optional<String> partial = PartialView.reason(exam.node());
    if (partial.isPresent()) {
      exam.skip(partial.get());
      return true;
    }
    if (devices.isEmpty()) {
      throw new Unavailable("no driver answers for the accelerators on the bus");
    }
    exam.fatal(
            exam.here(),
            "%d accelerators are on the PCI bus, only %d answer the driver"
                .formatted(slots.size(), devices.size()))
        .evidence("/sys/bus/pci/devices", addresses(lost) + " on the bus, not answering")
        .evidence("driver", devices.size() + " devices")
        .remedy(
            ("Drain and reboot the node; if %s stays away, power-cycle it and have the slot"
                    + " inspected")
                .formatted(addresses(lost)));
    return true;
  }

  private static String addresses(List<AcceleratorSlot> slots) {
    return slots.stream().map(AcceleratorSlot::address).collect(Collectors.joining(", "));
  }

  /** An old card that only draws the screen, with another driver or none, is nobody's loss. */
  private static boolean shouldAnswer(AcceleratorSlot slot) {
    return slot.knownProduct()
        || slot.driver()
            .filter(name -> !name.equals("nouveau") && !name.startsWith("nova"))
            .isPresent();
  }

  /** A device of which every call failed counts as gone. */
  private static boolean answers(Accelerator device) {
    return device.text("name").isPresent();
  }

  private static int whole(String number) {
    try {
      return Integer.parseInt(number.strip());
    } catch (NumberFormatException e) {
      throw new Unavailable("the site's gpu.count is not a number: " + number);
    }
  }
}
