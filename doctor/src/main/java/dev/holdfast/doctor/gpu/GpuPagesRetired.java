package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import java.time.Duration;

/** Retired memory pages: how GPUs before Ampere, and AMD's, set bad memory aside. */
public final class GpuPagesRetired implements Check {
  private static final String SINGLE = "retired.pages.single";
  private static final String DOUBLE = "retired.pages.double";
  private static final String PENDING = "retired.pages.pending";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.pages.retired",
              "How many pages of GPU memory had to be retired?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads("nvml retired.pages.*", "history")
          .meaning(
              "Retired pages are used up space for bad memory; when it is full, or grows, the next"
                  + " error kills the job.")
          .remedy("Drain the node and reset the GPU; return the part when the limit is reached")
          .limit("most", 63, "pages", "DCGM health watch: 63 pages, the table is full")
          .limit("uncorrectable", 15, "pages", "DCGM: more than 15 with a new one within 7 days");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "below the limits", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    if (device.number(DOUBLE).isEmpty()) {
      return Survey.Answer.UNKNOWN;
    }
    long uncorrectable = device.number(DOUBLE).orElse(0);
    long all = uncorrectable + device.number(SINGLE).orElse(0);
    long added =
        exam.change(device.counter(DOUBLE), uncorrectable, Duration.ofDays(7))
            .map(Change::increase)
            .orElse(0L);
    Draft draft;
    if (all >= exam.limit("most")) {
      draft = exam.draft(device, Severity.FATAL, all + " pages of GPU memory are retired");
    } else if (uncorrectable > exam.limit("uncorrectable") && added > 1) {
      draft =
          exam.draft(
              device,
              Severity.FATAL,
              "%d pages retired after uncorrectable errors, %d of them within a week"
                  .formatted(uncorrectable, added));
    } else if (device.says(PENDING)) {
      draft =
          exam.draft(device, Severity.DEGRADED, "a bad page of GPU memory is still in use")
              .remedy(Remedy.drainAndReset(device));
    } else {
      return Survey.Answer.GOOD;
    }
    draft
        .evidence(device.source(SINGLE), device.text(SINGLE).orElse("not told"))
        .evidence(device.source(DOUBLE), uncorrectable)
        .evidence(device.source(PENDING), device.text(PENDING).orElse("not told"));
    return Survey.Answer.TOLD;
  }
}
