package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/**
 * How the GPU memory's spare rows stand. The hardware puts a spare in the place of a bad row; what
 * matters is whether it could, whether it waits for a reset to do so, and what is left.
 */
public final class GpuRowsRemapped implements Check {
  private static final String FAILURE = "remapped.failure";
  private static final String PENDING = "remapped.pending";
  private static final String UNCORRECTABLE = "remapped.uncorrectable";
  private static final String EXHAUSTED = "remapped.histogram.none";
  private static final String LOW = "remapped.histogram.low";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.rows.remapped",
              "Could bad rows of the GPU memory be replaced, and are spares left?",
              FaultClass.HARDWARE,
              Proof.RECORDED)
          .reads("nvml remapped.*")
          .meaning(
              "A bad row that is still in use gives uncorrectable errors, each of which kills the"
                  + " processes on the GPU and with them the job.")
          .remedy("Drain the node, then reset the GPU; return the part when remapping fails")
          .limit("uncorrectable", 512, "rows", "DCGM health watch, AzNHC, OCI")
          .limit("exhausted", 1, "banks", "NVIDIA GPU memory error management: no spare row left");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "no failure, nothing pending", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    if (device.text(FAILURE).isEmpty()) {
      return Survey.Answer.UNKNOWN;
    }
    long rows = device.number(UNCORRECTABLE).orElse(0);
    if (device.says(FAILURE)) {
      tell(exam, device, Severity.FATAL, FAILURE, "a bad row of the GPU memory cannot be replaced")
          .remedy(
              "Drain the node and return the part ("
                  + Remedy.part(device)
                  + "); for the vendor: nvidia-bug-report.sh and the field diagnostic");
    } else if (rows >= exam.limit("uncorrectable")) {
      tell(
              exam,
              device,
              Severity.FATAL,
              UNCORRECTABLE,
              rows + " rows were replaced after" + " uncorrectable errors")
          .remedy("Drain the node and return the part: " + Remedy.part(device));
    } else if (device.says(PENDING)) {
      tell(exam, device, Severity.DEGRADED, PENDING, "a bad row of the GPU memory is still in use")
          .remedy(Remedy.drainAndReset(device));
    } else if (device.number(EXHAUSTED).orElse(0) >= exam.limit("exhausted")) {
      long banks = device.number(EXHAUSTED).orElse(0);
      tell(
              exam,
              device,
              Severity.WARNING,
              EXHAUSTED,
              banks + " memory banks have no spare row left")
          .remedy("Plan to return the part: " + Remedy.part(device));
    } else {
      return Survey.Answer.GOOD;
    }
    return Survey.Answer.TOLD;
  }

  private static dev.holdfast.doctor.check.Draft tell(
      Examination exam, Accelerator device, Severity severity, String fact, String summary) {
    var draft =
        exam.draft(device, severity, summary)
            .evidence(device.source(fact), device.text(fact).orElse(""));
    for (String other : new String[] {UNCORRECTABLE, PENDING, LOW, EXHAUSTED}) {
      if (!other.equals(fact)) {
        device.text(other).ifPresent(value -> draft.evidence(device.source(other), value));
      }
    }
    return draft;
  }
}
