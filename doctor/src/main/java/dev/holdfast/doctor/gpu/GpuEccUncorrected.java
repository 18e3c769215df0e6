package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;

/** Uncorrectable memory errors since the driver was loaded: any at all means wrong data was met. */
public final class GpuEccUncorrected implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.ecc.uncorrected",
              "Has an accelerator met memory errors it could not correct?",
              FaultClass.HARDWARE,
              Proof.RECORDED)
          .reads("nvml ecc.volatile.uncorrected.*")
          .meaning(
              "An uncorrectable error kills every process on the GPU, or, uncontained, lets a run"
                  + " train on wrong numbers; it tends to come back until the memory is remapped.")
          .remedy("Drain the node, then reset the GPU: nvidia-smi --gpu-reset -i INDEX");

  private static final List<String> PLACES =
      List.of("ecc.volatile.uncorrected.dram", "ecc.volatile.uncorrected.sram");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "no uncorrectable errors since the driver was loaded", d -> answer(exam, d));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    Survey.Answer answer = Survey.Answer.UNKNOWN;
    for (String place : PLACES) {
      long count = device.number(place).orElse(-1);
      if (count > 0) {
        String kind = place.endsWith("dram") ? "DRAM" : "SRAM";
        exam.draft(
                device,
                Severity.FATAL,
                "%d uncorrectable %s error%s since the driver was loaded"
                    .formatted(count, kind, count == 1 ? "" : "s"))
            .evidence(device.source(place), count)
            .evidence("part", Remedy.part(device))
            .remedy(Remedy.drainAndReset(device));
        answer = Survey.Answer.TOLD;
      } else if (count == 0 && answer == Survey.Answer.UNKNOWN) {
        answer = Survey.Answer.GOOD;
      }
    }
    return answer;
  }
}
