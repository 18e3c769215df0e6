package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import java.util.Set;

/**
 * What the driver itself says must be done with the GPU. It knows more than any table of error
 * codes, so this is asked first; Xid 154 in the kernel log tells when it began.
 */
public final class GpuRecoveryAction implements Check {
  private static final String FACT = "recovery.action";
  private static final int ACTION_CHANGED = 154;

  /**
   * Actions without which the GPU works no further. One that a newer driver invented is told, but
   * must not take a whole fleet out of service on the day of its upgrade.
   */
  private static final Set<String> STOPS = Set.of("reset", "reboot", "drain-p2p", "reset-bus");

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.recovery.action",
              "Does the driver ask for a GPU to be reset or the node to be rebooted?",
              FaultClass.HARDWARE,
              Proof.RECORDED)
          .reads("nvml recovery.action", "kernel-log Xid 154")
          .meaning(
              "The driver found the GPU in a state it cannot work in any further; new work on it"
                  + " fails or hangs until the action is done.")
          .remedy("Drain the node and do what the driver asks");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "the driver asks for nothing", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    String action = device.text(FACT).orElse("");
    if (action.isEmpty()) {
      return Survey.Answer.UNKNOWN;
    }
    if (action.equals("none")) {
      return Survey.Answer.GOOD;
    }
    Draft draft =
        exam.draft(
                device,
                STOPS.contains(action) ? Severity.FATAL : Severity.DEGRADED,
                "the driver asks for: " + words(action))
            .evidence(device.source(FACT), action)
            .remedy(remedy(device, action));
    for (KernelEvent event : exam.kernel().known("xid")) {
      if (event.isXid(ACTION_CHANGED)
          && device.text("pci.address").filter(event.device()::equals).isPresent()) {
        draft.evidence("kernel-log", event.line()).since(event.last());
      }
    }
    return Survey.Answer.TOLD;
  }

  private static String words(String action) {
    return switch (action) {
      case "reset" -> "reset of the GPU";
      case "reboot" -> "reboot of the node";
      case "drain-p2p" -> "an end of all work between GPUs over NVLink";
      case "drain-and-reset" -> "reset of the GPU once its work has ended; it works below capacity";
      case "reset-bus" -> "reset of the GPU and its PCI bus";
      default -> "action " + action + ", which this version does not know";
    };
  }

  private static String remedy(Accelerator device, String action) {
    return switch (action) {
      case "reset", "drain-and-reset", "reset-bus" -> Remedy.drainAndReset(device);
      case "reboot" -> "Drain the node, then: sudo systemctl reboot; run holdfast doctor again";
      case "drain-p2p" ->
          "End the jobs on this node that use several GPUs; the driver then says what comes next:"
              + " nvidia-smi -q | grep Recovery";
      default -> "Drain the node; see nvidia-smi -q for the driver's own words";
    };
  }
}
