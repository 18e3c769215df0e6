package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Whether the driver keeps the GPU awake when nobody uses it. */
public final class GpuPersistence implements Check {
  private static final String FACT = "persistence";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.persistence",
              "Does the driver keep the GPUs initialised between jobs?",
              FaultClass.CONFIGURATION,
              Proof.RECORDED)
          .reads("nvml " + FACT)
          .meaning(
              "Without it each job start initialises the GPUs anew, seconds per GPU, settings such"
                  + " as clocks and error counters are lost, and now and then a GPU fails to wake.")
          .remedy("sudo systemctl enable --now nvidia-persistenced (or: sudo nvidia-smi -pm 1)");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(
        exam,
        "on",
        device -> {
          String mode = device.text(FACT).orElse("");
          if (mode.isEmpty() || !device.dataCentre()) {
            return Survey.Answer.UNKNOWN;
          }
          if (mode.equals("enabled")) {
            return Survey.Answer.GOOD;
          }
          exam.draft(device, Severity.WARNING, "persistence mode is off")
              .evidence(device.source(FACT), mode);
          return Survey.Answer.TOLD;
        });
  }
}
