package dev.holdfast.doctor.inventory;

import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.software.Driver;
import java.util.List;

/** GPUs and NPUs: how many, which, with what firmware and driver. */
final class AcceleratorFacts {
  private AcceleratorFacts() {}

  /** A device that is listed and of which every call fails is lost: it does not count. */
  private static long answering(List<Accelerator> devices) {
    return devices.stream().filter(device -> device.text("name").isPresent()).count();
  }

  static void add(FactSheet sheet, NodeView node, Accelerators accelerators) {
    List<Accelerator> devices = accelerators.all();
    String source = devices.isEmpty() ? "" : devices.getFirst().source();
    String origin = source.contains(" ") ? source.substring(0, source.indexOf(' ')) : source;
    if (!devices.isEmpty()) {
      sheet.add("gpu.count", answering(devices), "", origin);
      sheet.shared("gpu.model", every(devices, "name"), "", origin + " name");
      sheet.shared(
          "gpu.memory.bytes", every(devices, "memory.total.bytes"), "bytes", origin + " memory");
      sheet.shared("gpu.vbios", every(devices, "vbios"), "", origin + " vbios");
      sheet.shared(
          "gpu.compute.capability",
          every(devices, "compute.capability"),
          "",
          origin + " capability");
      sheet.shared("gpu.part.number", every(devices, "part.number"), "", origin + " part number");
      sheet.shared("gpu.mig.mode", every(devices, "mig.mode"), "", origin + " MIG mode");
      sheet.shared("gpu.ecc.mode", every(devices, "ecc.mode.current"), "", origin + " ECC mode");
      sheet.shared(
          "gpu.power.limit.watts",
          every(devices, "power.limit.watts"),
          "watts",
          origin + " power limit");
    }
    Driver.of(node, accelerators)
        .ifPresent(
            driver -> sheet.add("gpu.driver.version", driver.version(), "", driver.source()));
    sheet.add(
        "cuda.driver.version", accelerators.nvidia().fact("cuda.version"), "nvml cuda.version");
  }

  private static List<String> every(List<Accelerator> devices, String fact) {
    return devices.stream().map(device -> device.text(fact).orElse("")).toList();
  }
}
