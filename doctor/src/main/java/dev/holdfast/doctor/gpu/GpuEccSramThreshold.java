package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;

/** The maker's own verdict that the on-chip memories had too many errors over the part's life. */
public final class GpuEccSramThreshold implements Check {
  private static final String FACT = "ecc.sram.threshold.exceeded";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.ecc.sram.threshold",
              "Have on-chip memory errors passed the maker's limit?",
              FaultClass.HARDWARE,
              Proof.RECORDED)
          .reads("nvml " + FACT, "nvml ecc.sram.source.*")
          .meaning(
              "On-chip memory has no spare rows: what fails there keeps failing, and kills the"
                  + " processes on the GPU each time.")
          .remedy("Drain the node, run the field diagnostic and return the part");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "below the maker's limit", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    if (device.text(FACT).isEmpty()) {
      return Survey.Answer.UNKNOWN;
    }
    if (!device.says(FACT)) {
      return Survey.Answer.GOOD;
    }
    Draft draft =
        exam.draft(device, Severity.FATAL, "uncorrectable SRAM errors passed the maker's limit")
            .evidence(device.source(FACT), "true")
            .evidence("part", Remedy.part(device));
    for (String place : new String[] {"l2", "sm", "pcie", "microcontroller", "other"}) {
      String fact = "ecc.sram.source." + place;
      device
          .number(fact)
          .ifPresent(
              count -> {
                if (count > 0) {
                  draft.evidence(device.source(fact), count);
                }
              });
    }
    return Survey.Answer.TOLD;
  }
}
