package dev.holdfast.doctor.memory;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.kernel.KernelStory;
import java.util.List;

/**
 * Host memory that returned wrong data. Three witnesses: EDAC's counters, the kernel log, and the
 * kernel's own count of pages it gave up ({@code HardwareCorrupted}), which needs no driver.
 */
public final class UncorrectedErrors implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "memory.errors.uncorrected",
              "Has host memory returned errors that could not be corrected?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads(
              MemoryControllers.ROOT + "/mc*/dimm*/dimm_ue_count",
              MemoryInfo.PATH + " HardwareCorrupted",
              "kernel-log")
          .meaning(
              "The process that reads such memory is killed, or trains on wrong numbers without"
                  + " noticing; a module that failed once fails again.")
          .remedy(
              "Drain the node and replace the module; this answer or the BMC's event log names it");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<KernelEvent> reads = exam.kernel().known("edac.uncorrected", "mce.memory");
    List<KernelEvent> pages = exam.kernel().known("mce.page-offline");
    boolean counted = false;
    List<MemoryControllers.Module> modules = MemoryControllers.read(exam.node());
    for (MemoryControllers.Module module : modules) {
      if (module.uncorrected() > 0) {
        counted = true;
        Draft draft =
            exam.fatal(
                    exam.here().part("memory", module.label()),
                    "%d uncorrected error%s on %s since boot"
                        .formatted(
                            module.uncorrected(),
                            module.uncorrected() == 1 ? "" : "s",
                            module.label()))
                .evidence(module.uncorrectedSource(), module.uncorrected());
        witness(
            draft, reads.stream().filter(event -> event.line().contains(module.label())).toList());
      }
    }
    MemoryInfo memory = MemoryInfo.of(exam.node());
    Bytes lost = memory.rows().get("HardwareCorrupted");
    boolean given = false;
    if (lost != null && lost.count() > 0) {
      given = true;
      witness(
          exam.degraded(exam.here(), "the kernel gave up " + lost + " of damaged memory since boot")
              .evidence(MemoryInfo.PATH + " HardwareCorrupted", lost),
          pages);
    }
    KernelStory story = new KernelStory(exam).about("memory").neverAges();
    boolean told = !counted && story.tell(reads);
    told |= !given && story.tell(pages);
    if (counted || given || told) {
      return;
    }
    if (!modules.isEmpty()) {
      exam.pass("none on " + modules.size() + " modules");
    } else if (lost != null) {
      exam.pass("no page given up (no EDAC counters here)");
    }
  }

  /** The log's word on the same thing, and since when. */
  private static void witness(Draft draft, List<KernelEvent> events) {
    if (!events.isEmpty()) {
      draft.evidence("kernel log", events.getFirst().line()).since(events.getFirst().first());
    }
  }
}
