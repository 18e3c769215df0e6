package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Repairs of a memory channel or a processing cluster that wait for the next reset. */
public final class GpuMemoryRepair implements Check {
  private static final String CHANNEL = "repair.channel.pending";
  private static final String CLUSTER = "repair.tpc.pending";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.memory.repair",
              "Does a repair of a GPU wait for a reset?",
              FaultClass.HARDWARE,
              Proof.RECORDED)
          .reads("nvml " + CHANNEL, "nvml " + CLUSTER)
          .meaning(
              "The GPU found a part of itself bad and goes on using it until it is reset; errors"
                  + " come back meanwhile.")
          .remedy("Drain the node, then reset the GPU");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "no repair is waiting", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    if (device.text(CHANNEL).isEmpty() && device.text(CLUSTER).isEmpty()) {
      return Survey.Answer.UNKNOWN;
    }
    if (!device.says(CHANNEL) && !device.says(CLUSTER)) {
      return Survey.Answer.GOOD;
    }
    String what = device.says(CHANNEL) ? "a memory channel" : "a processing cluster (TPC)";
    exam.draft(device, Severity.DEGRADED, "the repair of " + what + " waits for a reset")
        .evidence(device.source(CHANNEL), device.text(CHANNEL).orElse("not told"))
        .evidence(device.source(CLUSTER), device.text(CLUSTER).orElse("not told"))
        .remedy(Remedy.drainAndReset(device));
    return Survey.Answer.TOLD;
  }
}
