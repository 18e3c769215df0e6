package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.AcceleratorSlot;
import dev.holdfast.doctor.accelerator.NvidiaFacts;
import dev.holdfast.doctor.accelerator.PartialView;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;
import java.util.Optional;

/**
 * Whether the maker's driver has every accelerator, and whether its two halves, kernel module and
 * library, are of one version. They part company when packages are upgraded under a loaded module.
 */
public final class GpuDriver implements Check {
  private static final String MODULE = "/sys/module/nvidia/version";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.driver.loaded",
              "Is the maker's driver loaded for every accelerator, and does its library fit?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads("/sys/bus/pci/devices/*/driver", MODULE, "nvml nvml.start")
          .meaning("Without it no process can open the accelerator; every job on the node fails.")
          .remedy("Load the driver: sudo modprobe nvidia; see why it failed with dmesg | tail -50");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    long bound =
        exam.accelerators().requireHardware().stream()
            .filter(slot -> !slot.givenAway())
            .filter(slot -> bound(exam, slot))
            .count();
    if (bound > 0) {
      exam.pass("bound to " + bound + " accelerators");
    }
    Optional<String> module = exam.node().text(MODULE);
    if (module.isPresent()) {
      library(exam, module.get());
    }
  }

  private static boolean bound(Examination exam, AcceleratorSlot slot) {
    List<String> right =
        switch (slot.vendor()) {
          case "nvidia" -> List.of("nvidia");
          case "amd" -> List.of("amdgpu");
          default -> slot.driver().map(List::of).orElse(List.of());
        };
    if (slot.driver().filter(right::contains).isPresent()) {
      return true;
    }
    // A desktop may well draw its screen with another driver; a server part is there to compute.
    Severity severity = slot.knownProduct() ? Severity.FATAL : Severity.INFO;
    exam.draft(
            exam.here().part("pci", slot.address()),
            severity,
            slot.driver()
                .map(other -> "the accelerator is driven by " + other + ", not its maker's driver")
                .orElse("no driver is loaded for the accelerator"))
        .proof(slot.vendor().equals("nvidia") ? INFO.proof() : Proof.DOCUMENTED)
        .evidence(slot.folder() + "/driver", slot.driver().orElse("none"))
        .evidence(slot.folder() + "/device", slot.product());
    return false;
  }

  private static void library(Examination exam, String module) {
    NvidiaFacts nvidia = exam.accelerators().nvidia();
    String start = nvidia.fact("nvml.start!").orElse("");
    if (start.equals("LIB_RM_VERSION_MISMATCH")) {
      exam.fatal(
              exam.here(), "the driver's library does not fit the loaded kernel module " + module)
          .evidence("nvmlInit", start + " (Driver/library version mismatch)")
          .evidence(MODULE, module)
          .evidence("nvml nvml.version", nvidia.fact("nvml.version").orElse("not told"))
          .remedy(
              "The driver was upgraded while loaded: drain the node and reboot it, or stop all GPU"
                  + " processes and: sudo rmmod nvidia_uvm nvidia_drm nvidia_modeset nvidia && sudo"
                  + " modprobe nvidia");
    } else if (!start.isEmpty() && PartialView.reason(exam.node()).isPresent()) {
      // Without a device file given to it the library does not start, on the soundest node.
      exam.skip(PartialView.reason(exam.node()).orElse(""));
    } else if (!start.isEmpty()) {
      exam.fatal(exam.here(), "the driver's library does not start: " + start)
          .evidence("nvmlInit", start)
          .evidence(MODULE, module);
    } else if (nvidia.libraryPresent()) {
      exam.pass("module and library " + module);
    } else {
      Optional<String> partial = PartialView.reason(exam.node());
      exam.skip(partial.orElse(nvidia.why()));
    }
  }
}
