package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** The small memory on the board in which the GPU keeps its settings and its error history. */
public final class GpuInforom implements Check {
  private static final String FACT = "inforom.valid";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.inforom",
              "Is the GPU's own record of settings and errors (InfoROM) intact?",
              FaultClass.HARDWARE,
              Proof.RECORDED)
          .reads("nvml " + FACT)
          .meaning(
              "Remapped rows, error counts and the ECC setting live there; when it is damaged they"
                  + " may be forgotten at the next boot, and bad memory is used again.")
          .remedy("Have the vendor reflash the InfoROM or replace the part: nvidia-bug-report.sh");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(
        exam,
        "intact",
        device -> {
          if (device.text(FACT).isEmpty()) {
            return Survey.Answer.UNKNOWN;
          }
          if (device.says(FACT)) {
            return Survey.Answer.GOOD;
          }
          exam.draft(device, Severity.WARNING, "the InfoROM is damaged")
              .evidence(device.source(FACT), "nvmlDeviceValidateInforom: CORRUPTED_INFOROM")
              .evidence("part", Remedy.part(device));
          return Survey.Answer.TOLD;
        });
  }
}
