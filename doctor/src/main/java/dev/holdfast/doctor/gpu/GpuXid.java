package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The error codes NVIDIA's driver wrote to the kernel log since the boot.
 *
 * <p>A code is history, not a state, so its severity is lowered where the present says otherwise:
 * what a job did to itself does not make the node unfit, and where the driver states that no
 * recovery is needed, a reset has happened since.
 *
 * <p>How far a code is proven is a matter of its row. The check as a whole is documented, so that
 * no code drains a node where nobody said that he accepts rows.
 */
public final class GpuXid implements Check {
  private static final int MOST_FINDINGS = 40;

  /** A code the maker does not publish; it is told and decides nothing. */
  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.kernel.xid",
              "Has the NVIDIA driver reported errors (Xid) since the boot?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads("kernel-log NVRM: Xid", "nvml recovery.action")
          .needs(Needs.SYSLOG)
          .meaning("The driver met a fault of the GPU, of its links or of a program on it.")
          .remedy("holdfast explain xid N tells what each code means and what to do")
          .limit("recent", 24, "hours", "NVSentinel: repeats are counted over 24 h");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    if (!nvidia(exam)) {
      return;
    }
    List<KernelEvent> all = exam.kernel().require("xid");
    List<KernelEvent> events =
        all.stream().filter(event -> !toldElsewhere(exam, event, all)).toList();
    events.stream().limit(MOST_FINDINGS).forEach(event -> tell(exam, event));
    if (events.size() > MOST_FINDINGS) {
      exam.info(exam.here(), (events.size() - MOST_FINDINGS) + " more Xid events were not listed")
          .evidence("kernel-log", events.size() + " events");
    }
    if (all.isEmpty()) {
      exam.pass("no Xid since the boot");
    }
  }

  /** Xid 154 only says what to do about another one, or is told by {@code gpu.recovery.action}. */
  private static boolean toldElsewhere(Examination exam, KernelEvent event, List<KernelEvent> all) {
    boolean answered =
        exam.accelerators()
            .at(event.device())
            .filter(device -> device.text("recovery.action").isPresent())
            .isPresent();
    boolean explained =
        all.stream().anyMatch(other -> !other.isXid(154) && other.device().equals(event.device()));
    return event.isXid(154) && (answered || explained);
  }

  /** A line of its driver proves that such a GPU was there, whatever else is known of the node. */
  static boolean nvidia(Examination exam) {
    return !exam.kernel().known("xid", "sxid").isEmpty() || has(exam);
  }

  private static boolean has(Examination exam) {
    return exam.accelerators().requireHardware().stream()
            .anyMatch(slot -> slot.vendor().equals("nvidia"))
        || exam.accelerators().nvidia().libraryPresent();
  }

  private static void tell(Examination exam, KernelEvent event) {
    Optional<Accelerator> device = exam.accelerators().at(event.device());
    Severity severity = severity(exam, event, device);
    Draft draft = exam.draft(subject(exam, event, device), severity, KernelWords.summary(event));
    KernelWords.describe(draft, event);
    if (severity != event.severity()) {
      device
          .flatMap(present -> present.text("recovery.action"))
          .ifPresent(action -> draft.evidence("nvml recovery.action", action));
    }
  }

  private static Severity severity(
      Examination exam, KernelEvent event, Optional<Accelerator> device) {
    Severity severity = event.severity();
    if (event.role() != KernelEvent.Role.CAUSE) {
      return Severity.INFO;
    }
    boolean old =
        event
            .last()
            .map(last -> Duration.between(last, exam.node().now()))
            .filter(age -> age.toMinutes() > exam.limit("recent") * 60)
            .isPresent();
    boolean recovered =
        device
            .flatMap(present -> present.text("recovery.action"))
            .filter("none"::equals)
            .isPresent();
    return switch (event.step()) {
      case NONE, FOLLOW, RESTART_JOB, CHECK_JOB ->
          least(severity, old ? Severity.INFO : Severity.WARNING);
      case RESET_GPU, REBOOT_NODE ->
          recovered ? least(severity, old ? Severity.INFO : Severity.WARNING) : severity;
      default -> severity;
    };
  }

  private static Severity least(Severity severity, Severity most) {
    return severity.compareTo(most) <= 0 ? severity : most;
  }

  private static Subject subject(
      Examination exam, KernelEvent event, Optional<Accelerator> device) {
    if (device.isPresent()) {
      return device.get().subject();
    }
    return event.device().isEmpty() ? exam.here() : exam.here().part("pci", event.device());
  }
}
