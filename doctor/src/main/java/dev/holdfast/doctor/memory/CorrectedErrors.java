package dev.holdfast.doctor.memory;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Durations;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Memory modules whose corrected errors come fast: the next one may not be corrected. */
public final class CorrectedErrors implements Check {
  private static final Duration DAY = Duration.ofDays(1);

  private static final CheckInfo INFO =
      CheckInfo.of(
              "memory.errors.corrected",
              "Do corrected errors of host memory stay rare?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads(MemoryControllers.ROOT + "/mc*/dimm*/dimm_ce_count")
          .meaning(
              "Each corrected error interrupts a core, in firmware mode all of them, for up to"
                  + " milliseconds; a module with many is the next to fail for good.")
          .remedy(
              "Plan to replace the module at the next drain; watch it with: ras-mc-ctl --errors")
          .limit("day", 50, "errors a day", "rasdaemon's default threshold for one page")
          .limit("hour", 1000, "errors an hour", "own choice: a core is interrupted every 4 s");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<MemoryControllers.Module> modules = MemoryControllers.read(exam.node());
    int sound = 0;
    for (MemoryControllers.Module module : modules) {
      Optional<Change> change =
          exam.change("memory.corrected." + module.name(), module.corrected(), DAY);
      if (module.corrected() == 0) {
        sound++;
      } else if (change.isEmpty()) {
        exam.needsHistory();
      } else if (change.get().perHour() >= exam.limit("hour")
          || inADay(change.get()) >= exam.limit("day")) {
        tell(exam, module, change.get());
      } else {
        sound++;
      }
    }
    if (sound > 0) {
      exam.pass(sound + " of " + modules.size() + " modules below the limits");
    }
  }

  /** The last run may be days ago; a stretch shorter than a day counts as one. */
  private static double inADay(Change change) {
    return change.increase() / Math.max(1, change.elapsed().toMillis() / (double) DAY.toMillis());
  }

  private static void tell(Examination exam, MemoryControllers.Module module, Change change) {
    String summary =
        "%d corrected errors on %s in %s"
            .formatted(change.increase(), module.label(), Durations.show(change.elapsed()));
    var part = exam.here().part("memory", module.label());
    boolean storm = change.perHour() >= exam.limit("hour") && change.increase() >= 100;
    Draft draft = storm ? exam.degraded(part, summary) : exam.warning(part, summary);
    draft.evidence(module.correctedSource(), module.corrected());
  }
}
