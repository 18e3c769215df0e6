package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/**
 * Whether memory errors are noticed at all. Workstation parts come with ECC off; servers do not.
 */
public final class GpuEccMode implements Check {
  private static final String CURRENT = "ecc.mode.current";
  private static final String PENDING = "ecc.mode.pending";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.ecc.mode",
              "Is error correction on, on accelerators made for servers?",
              FaultClass.CONFIGURATION,
              Proof.RECORDED)
          .reads("nvml " + CURRENT, "nvml " + PENDING)
          .meaning(
              "With error correction off a flipped bit goes unnoticed into weights and gradients;"
                  + " the loss may spike days later, and nothing says why.")
          .remedy("sudo nvidia-smi -e 1, then reset the GPU or reboot the node");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "on", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    String current = device.text(CURRENT).orElse("");
    String pending = device.text(PENDING).orElse(current);
    if (current.isEmpty() || !device.dataCentre()) {
      return Survey.Answer.UNKNOWN;
    }
    String fix =
        "sudo nvidia-smi -i %d -e 1, drain the node, then: %s"
            .formatted(device.index(), Remedy.reset(device));
    if (current.equals("disabled")) {
      exam.draft(device, Severity.DEGRADED, "error correction (ECC) is off")
          .evidence(device.source(CURRENT), current)
          .evidence(device.source(PENDING), pending)
          .remedy(fix);
      return Survey.Answer.TOLD;
    }
    if (!pending.equals(current)) {
      exam.draft(
              device, Severity.WARNING, "error correction (ECC) will be off after the next reset")
          .evidence(device.source(CURRENT), current)
          .evidence(device.source(PENDING), pending)
          .remedy(fix);
      return Survey.Answer.TOLD;
    }
    return Survey.Answer.GOOD;
  }
}
