package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
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
    for (Accelerator device : exam.accelerators().require()) {
      boolean known = false;
      for (String place : PLACES) {
        long count = device.number(place).orElse(-1);
        known |= count >= 0;
        if (count > 0) {
          exam.fatal(
                  device.subject(),
                  "%d uncorrectable %s errors since the driver was loaded"
                      .formatted(count, place.endsWith("dram") ? "DRAM" : "SRAM"))
              .evidence(device.source(place), count)
              .remedy(
                  "Drain the node, then: nvidia-smi --gpu-reset -i %d; run holdfast doctor again"
                      .formatted(device.index()));
        }
      }
      if (known) {
        exam.pass("gpu " + device.index() + ": none");
      } else {
        exam.skip("the accelerator does not count ECC errors");
      }
    }
  }
}
