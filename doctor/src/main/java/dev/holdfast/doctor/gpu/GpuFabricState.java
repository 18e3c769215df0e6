package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.kernel.KernelEvents;
import java.time.Duration;
import java.util.Optional;

/** Whether each GPU has joined the fabric of NVSwitches, and what the fabric says of its health. */
public final class GpuFabricState implements Check {
  private static final String STATE = "fabric.state";
  private static final String STATUS = "fabric.status";
  private static final String TROUBLE = "fabric.health.words";
  private static final String SUMMARY = "fabric.health.summary";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.fabric.state",
              "Has every GPU joined the NVSwitch fabric, and is it healthy there?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads("nvml fabric.*", "/proc/stat")
          .meaning(
              "Until a GPU has joined, CUDA programs on it fail with error 802 (system not yet"
                  + " initialized), and NVLink collectives do not start.")
          .remedy(
              "systemctl status nvidia-fabricmanager (nvidia-imex on rack systems); its version must"
                  + " equal the driver's; sudo systemctl restart nvidia-fabricmanager")
          .limit("start", 5, "minutes after boot", "chosen here: joining takes seconds to minutes");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "joined and healthy", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    String state = device.text(STATE).orElse("not-supported");
    return switch (state) {
      case "not-supported" -> Survey.Answer.UNKNOWN;
      case "completed" -> joined(exam, device);
      case "in-progress" -> {
        Severity severity = justBooted(exam) ? Severity.WARNING : Severity.FATAL;
        yield tell(exam, device, severity, "the GPU is still joining the NVSwitch fabric", STATE);
      }
      default ->
          tell(exam, device, Severity.FATAL, "the GPU has not joined the NVSwitch fabric", STATE);
    };
  }

  private static Survey.Answer joined(Examination exam, Accelerator device) {
    String status = device.text(STATUS).orElse("SUCCESS");
    String trouble = device.text(TROUBLE).orElse("none");
    String summary = device.text(SUMMARY).orElse("healthy");
    if (!status.equals("SUCCESS")) {
      return tell(
          exam, device, Severity.FATAL, "the GPU failed to join the NVSwitch fabric", STATUS);
    }
    if (!trouble.equals("none")) {
      return tell(exam, device, Severity.DEGRADED, "the fabric reports " + trouble, TROUBLE);
    }
    if (summary.equals("unhealthy") || summary.equals("limited-capacity")) {
      return tell(exam, device, Severity.DEGRADED, "the fabric calls the GPU " + summary, SUMMARY);
    }
    return Survey.Answer.GOOD;
  }

  private static Survey.Answer tell(
      Examination exam, Accelerator device, Severity severity, String what, String fact) {
    Draft draft =
        exam.draft(device, severity, what)
            .evidence(device.source(fact), device.text(fact).orElse(""));
    device
        .text("fabric.health.mask")
        .ifPresent(mask -> draft.evidence(device.source("fabric.health.mask"), mask));
    return Survey.Answer.TOLD;
  }

  private static boolean justBooted(Examination exam) {
    Optional<Duration> up =
        KernelEvents.boot(exam.node()).map(boot -> Duration.between(boot, exam.node().now()));
    return up.filter(time -> time.toMinutes() < exam.limit("start")).isPresent();
  }
}
