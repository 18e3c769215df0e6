package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** The health word of makers whose tool gives one, such as {@code npu-smi} for Ascend. */
public final class GpuHealthReported implements Check {
  private static final String FACT = "health";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.health.reported",
              "Does the maker's own tool call every accelerator healthy?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads("npu-smi info")
          .meaning("The device reported a fault of its own; training on it fails or is slow.")
          .remedy("npu-smi info -t health -i ID -c 0 names the fault; see the maker's fault list");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "healthy", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    String health = device.text(FACT).orElse("");
    Severity severity =
        switch (health) {
          case "Warning" -> Severity.WARNING;
          case "Alarm" -> Severity.DEGRADED;
          case "Critical" -> Severity.FATAL;
          default -> Severity.INFO;
        };
    if (health.equals("OK")) {
      return Survey.Answer.GOOD;
    }
    if (severity == Severity.INFO) {
      return Survey.Answer.UNKNOWN;
    }
    exam.draft(device, severity, "the maker's tool reports " + health)
        .evidence(device.source(FACT), health)
        .remedy("npu-smi info -t health %s names the fault".formatted(Remedy.ascend(device)));
    return Survey.Answer.TOLD;
  }
}
