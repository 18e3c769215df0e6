package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.Set;

/** How much of the GPU memory the PCI bus can reach, which bounds what a NIC can write into it. */
public final class GpuBar1Size implements Check {
  private static final String BAR = "bar1.total.bytes";
  private static final String MEMORY = "memory.total.bytes";
  private static final Set<String> SMALL_BY_DESIGN =
      Set.of("kepler", "maxwell", "pascal", "volta", "turing");

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.bar1.size",
              "Can the PCI bus reach the whole memory of the GPU (BAR1)?",
              FaultClass.CONFIGURATION,
              Proof.RECORDED)
          .reads("nvml " + BAR, "nvml " + MEMORY)
          .meaning(
              "GPUDirect RDMA maps GPU memory through this window; when it is small, registration"
                  + " fails in the middle of a job or traffic is copied through the host.")
          .remedy(
              "Turn on 'Above 4G decoding' and large BARs in the firmware; for a virtual machine"
                  + " give it a large 64-bit PCI window")
          .limit("share", 0.5, "of the memory", "data-centre GPUs since Ampere map all of it");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "large enough", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    long bar = device.number(BAR).orElse(0);
    long memory = device.number(MEMORY).orElse(0);
    boolean judged =
        device.dataCentre()
            && !SMALL_BY_DESIGN.contains(device.text("architecture").orElse("turing"));
    if (bar <= 0 || memory <= 0 || !judged) {
      return Survey.Answer.UNKNOWN;
    }
    if (bar >= memory * exam.limit("share")) {
      return Survey.Answer.GOOD;
    }
    exam.draft(
            device,
            Severity.WARNING,
            "the PCI bus reaches %s of %s GPU memory".formatted(Bytes.of(bar), Bytes.of(memory)))
        .evidence(device.source(BAR), bar)
        .evidence(device.source(MEMORY), memory);
    return Survey.Answer.TOLD;
  }
}
