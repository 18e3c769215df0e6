package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.accelerator.NvidiaFacts;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/**
 * Whether the driver's library answers for every device in time. A call that hangs, and a child
 * that cannot even be killed, are the earliest signs of a GPU that is going away.
 */
public final class GpuReachable implements Check {
  private static final String FAILED = "call.failed";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.reachable",
              "Does the driver answer for every accelerator, in time?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads("nvml gpu.*.call.failed", "nvml probe.hung", "nvml probe.stuck")
          .meaning(
              "Work on the GPU fails or never returns; the ranks on it die or hang, and every other"
                  + " rank of the job waits for them.")
          .remedy("Drain the node and reboot it; power-cycle it if the GPU stays away");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    exam.accelerators().requireHardware();
    NvidiaFacts nvidia = exam.accelerators().nvidia();
    nvidia
        .fact("probe.stuck")
        .ifPresent(
            stuck ->
                exam.fatal(exam.here(), "a process asking the driver is stuck in the kernel")
                    .evidence("nvml probe.stuck", stuck)
                    .remedy(
                        "Nothing but a reboot frees it: drain the node, then reboot; power-cycle"
                            + " it if the reboot hangs as well"));
    if (exam.accelerators().all().isEmpty()) {
      nvidia
          .fact("probe.hung")
          .ifPresent(
              call ->
                  exam.fatal(exam.here(), "the driver's library does not return from a call")
                      .evidence("nvml probe.hung", call));
    }
    Survey.of(
        exam,
        exam.accelerators().all(),
        "every call was answered",
        device -> device.text(FAILED).map(f -> failed(exam, device, f)).orElse(Survey.Answer.GOOD));
  }

  private static Survey.Answer failed(Examination exam, Accelerator device, String failure) {
    String reason = failure.substring(failure.indexOf(':') + 1);
    String summary =
        switch (reason) {
          case "GPU_IS_LOST" -> "the driver has lost the GPU";
          case "RESET_REQUIRED" -> "the GPU must be reset before it can work";
          case "HUNG", "TIMEOUT" -> "the driver does not answer for the GPU";
          case "CRASHED" -> "the driver's library crashes when asked about the GPU";
          case "NO_PERMISSION", "UNFINISHED" -> "";
          default -> "the driver refuses the GPU: " + reason;
        };
    if (summary.isEmpty()) {
      return Survey.Answer.UNKNOWN;
    }
    exam.draft(device, Severity.FATAL, summary)
        .evidence(device.source(FAILED), failure)
        .evidence("PCI address", device.text("pci.address").orElse("not known"))
        .remedy(reason.equals("RESET_REQUIRED") ? Remedy.drainAndReset(device) : INFO.remedy());
    return Survey.Answer.TOLD;
  }
}
