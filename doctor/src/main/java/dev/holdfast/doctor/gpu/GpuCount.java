package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.accelerator.AcceleratorSlot;
import dev.holdfast.doctor.accelerator.PartialView;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Unavailable;
import dev.holdfast.doctor.site.Requirement;
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
    List<AcceleratorSlot> lost = lost(devices, slots);
    Optional<Requirement> wanted = exam.site().requirement("gpu.count");
    wanted.flatMap(Requirement::single).ifPresent(GpuCount::requireNumber);
    if (wanted.isEmpty()) {
      exam.accelerators().requireHardware();
    }
    String count = Integer.toString(devices.size());
    boolean asExpected = wanted.map(it -> it.accepts("gpu.count", count)).orElse(true);
    boolean fewer = wanted.map(it -> it.isAbove("gpu.count", count)).orElse(false);
    Optional<String> partial = PartialView.reason(exam.node());
    if (partial.isPresent() && (fewer || !lost.isEmpty())) {
      exam.skip(partial.get());
    } else if (!asExpected) {
      unexpected(exam, wanted.map(Requirement::words).orElse(""), fewer, devices, slots, lost);
    } else if (!lost.isEmpty()) {
      missing(exam, devices, slots, lost);
    } else if (!devices.isEmpty()) {
      exam.pass("%d on the bus and for the driver".formatted(devices.size()));
    }
  }

  /** The site's word settles it; what is on the bus and silent is said with it, not beside it. */
  private static void unexpected(
      Examination exam,
      String wanted,
      boolean fewer,
      List<Accelerator> devices,
      List<AcceleratorSlot> slots,
      List<AcceleratorSlot> lost) {
    Draft draft =
        exam.draft(
                exam.here(),
                fewer ? Severity.FATAL : Severity.WARNING,
                "%d accelerators answer, the site expects %s".formatted(devices.size(), wanted))
            .evidence("site gpu.count", wanted)
            .evidence("driver", devices.size())
            .evidence("/sys/bus/pci/devices", slots.size());
    if (!lost.isEmpty()) {
      draft
          .evidence("/sys/bus/pci/devices", addresses(lost) + " on the bus, not answering")
          .remedy(remedy(lost));
    }
  }

  /** What is on the bus and does not answer the driver's library. */
  private static List<AcceleratorSlot> lost(
      List<Accelerator> devices, List<AcceleratorSlot> slots) {
    boolean addressesKnown =
        devices.stream().allMatch(device -> device.text("pci.address").isPresent());
    return slots.stream()
        .filter(GpuCount::shouldAnswer)
        .filter(slot -> devices.stream().noneMatch(device -> device.key().equals(slot.address())))
        .filter(_ -> addressesKnown)
        .toList();
  }

  private static void missing(
      Examination exam,
      List<Accelerator> devices,
      List<AcceleratorSlot> slots,
      List<AcceleratorSlot> lost) {
    if (devices.isEmpty()) {
      throw new Unavailable("no driver answers for the accelerators on the bus");
    }
    exam.fatal(
            exam.here(),
            "%d accelerators are on the PCI bus, only %d answer the driver"
                .formatted(slots.size(), devices.size()))
        .evidence("/sys/bus/pci/devices", addresses(lost) + " on the bus, not answering")
        .evidence("driver", devices.size() + " devices")
        .remedy(remedy(lost));
  }

  private static String remedy(List<AcceleratorSlot> lost) {
    return ("Drain and reboot the node; if %s stays away, power-cycle it and have the slot"
            + " inspected")
        .formatted(addresses(lost));
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

  private static void requireNumber(String number) {
    try {
      Integer.parseInt(number.strip());
    } catch (NumberFormatException e) {
      throw new Unavailable("the site's gpu.count is not a number: " + number);
    }
  }
}
