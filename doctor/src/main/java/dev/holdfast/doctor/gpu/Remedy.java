package dev.holdfast.doctor.gpu;

import dev.holdfast.doctor.accelerator.Accelerator;

/** The commands an operator types, in the words of the device's maker. */
final class Remedy {
  private Remedy() {}

  static String reset(Accelerator device) {
    return switch (device.vendor()) {
      case "amd" -> "sudo amd-smi reset --gpureset --gpu " + device.index();
      case "ascend" -> "npu-smi set -t reset " + ascend(device);
      default -> "sudo nvidia-smi --gpu-reset -i " + device.index();
    };
  }

  /** How {@code npu-smi} names the device. */
  static String ascend(Accelerator device) {
    return "-i %s -c %s"
        .formatted(
            device.text("npu").orElse(Integer.toString(device.index())),
            device.text("chip").orElse("0"));
  }

  static String powerLimit(Accelerator device, String watts) {
    return device.vendor().equals("amd")
        ? "sudo amd-smi set --gpu %d --power-cap %s".formatted(device.index(), watts)
        : "sudo nvidia-smi -i %d -pl %s".formatted(device.index(), watts);
  }

  /** Reset once nothing runs on it any more. */
  static String drainAndReset(Accelerator device) {
    return "Drain the node, then: " + reset(device) + "; run holdfast doctor again";
  }

  /** What to write down for a return: which part it is, and where it sits. */
  static String part(Accelerator device) {
    return "%s, serial %s, at %s"
        .formatted(
            device.model(),
            device.text("serial").orElse("unknown"),
            device.text("pci.address").orElse("an unknown address"));
  }
}
