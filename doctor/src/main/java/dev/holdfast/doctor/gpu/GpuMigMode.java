package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.Optional;

/** Whether GPUs are partitioned (MIG), all of them or none. */
public final class GpuMigMode implements Check {
  private static final String CURRENT = "mig.mode";
  private static final String PENDING = "mig.mode.pending";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.mig.mode",
              "Are all GPUs of the node partitioned (MIG), or none?",
              FaultClass.CONFIGURATION,
              Proof.RECORDED)
          .reads("nvml " + CURRENT, "nvml " + PENDING)
          .meaning(
              "A partitioned GPU has no NVLink to its peers and shows up as several small ones; a"
                  + " job over the whole node fails or is far slower.")
          .remedy("sudo nvidia-smi -i INDEX -mig 0 (or 1), then reset the GPU");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.amongPeers(
        exam, CURRENT, "the same on all", (device, usual) -> answer(exam, device, usual));
  }

  private static Survey.Answer answer(
      Examination exam, Accelerator device, Optional<String> usual) {
    String current = device.text(CURRENT).orElse("");
    if (current.isEmpty()) {
      return Survey.Answer.UNKNOWN;
    }
    String pending = device.text(PENDING).orElse(current);
    boolean odd = usual.filter(most -> !most.equals(current)).isPresent();
    if (!odd && pending.equals(current)) {
      return Survey.Answer.GOOD;
    }
    String wanted = odd ? usual.orElse(current) : current;
    exam.draft(
            device,
            Severity.WARNING,
            odd
                ? "partitioning (MIG) is %s, on its peers %s".formatted(current, wanted)
                : "partitioning (MIG) becomes %s at the next reset".formatted(pending))
        .evidence(device.source(CURRENT), current)
        .evidence(device.source(PENDING), pending)
        .remedy(
            "sudo nvidia-smi -i %d -mig %d; drain the node, then: %s"
                .formatted(device.index(), wanted.equals("enabled") ? 1 : 0, Remedy.reset(device)));
    return Survey.Answer.TOLD;
  }
}
