package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/**
 * Whether processes may use the GPU at all. One process per GPU is a site's choice, none is not.
 */
public final class GpuComputeMode implements Check {
  private static final String FACT = "compute.mode";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.compute.mode",
              "May processes compute on every GPU?",
              FaultClass.CONFIGURATION,
              Proof.RECORDED)
          .reads("nvml " + FACT)
          .meaning("CUDA programs cannot open the GPU; each rank on it ends with an error.")
          .remedy("sudo nvidia-smi -i INDEX -c DEFAULT");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(
        exam,
        "allowed",
        device -> {
          String mode = device.text(FACT).orElse("");
          if (mode.isEmpty()) {
            return Survey.Answer.UNKNOWN;
          }
          if (!mode.equals("prohibited")) {
            return Survey.Answer.GOOD;
          }
          exam.draft(device, Severity.FATAL, "compute mode is 'prohibited': no process may use it")
              .evidence(device.source(FACT), mode)
              .remedy("sudo nvidia-smi -i %d -c DEFAULT".formatted(device.index()));
          return Survey.Answer.TOLD;
        });
  }
}
