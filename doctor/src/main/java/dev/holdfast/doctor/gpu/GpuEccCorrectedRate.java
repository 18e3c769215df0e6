package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Durations;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import java.time.Duration;
import java.util.Optional;

/**
 * How fast corrected memory errors come. One is nothing; a stream of them is a memory that is dying
 * and a driver kept busy, which no totals show: a GPU with seventeen thousand a second looked
 * healthy to tools that count only what could not be corrected.
 */
public final class GpuEccCorrectedRate implements Check {
  private static final Duration WINDOW = Duration.ofMinutes(30);

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.ecc.corrected.rate",
              "Do corrected memory errors come at a rate that shows failing memory?",
              FaultClass.HARDWARE,
              Proof.RECORDED)
          .reads("nvml ecc.volatile.corrected.*", "history")
          .meaning(
              "Each error costs the GPU and its driver time, so the rank becomes the slowest of the"
                  + " job; the next error in the same place may be one that cannot be corrected.")
          .remedy("Drain the node when its job ends, reset the GPU, run the vendor's memory test")
          .limit("perminute", 100, "errors/min", "none of the peers has one; NVSentinel issue 1748")
          .limit("severe", 10_000, "errors/min", "NVSentinel issue 1748: 4.6k to 17.6k/s seen")
          .limit("settle", 5, "minutes", "shorter bursts are only a warning");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "corrected errors are rare", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    Survey.Answer answer = Survey.Answer.UNKNOWN;
    for (String place : new String[] {"dram", "sram"}) {
      String fact = "ecc.volatile.corrected." + place;
      long count = device.number(fact).orElse(-1);
      if (count < 0) {
        continue;
      }
      Optional<Change> change = exam.change(device.counter(fact), count, WINDOW);
      if (count > 0 && change.isEmpty()) {
        exam.needsHistory();
      } else if (change.filter(c -> tooFast(exam, device, fact, c)).isPresent()) {
        return Survey.Answer.TOLD;
      } else {
        answer = Survey.Answer.GOOD;
      }
    }
    return answer;
  }

  private static boolean tooFast(Examination exam, Accelerator device, String fact, Change change) {
    double rate = change.perMinute();
    if (rate <= exam.limit("perminute")) {
      return false;
    }
    boolean settled = change.elapsed().toMinutes() >= exam.limit("settle");
    boolean severe = rate > exam.limit("severe");
    Severity severity =
        settled
            ? severe ? Severity.FATAL : Severity.DEGRADED
            : severe ? Severity.DEGRADED : Severity.WARNING;
    exam.draft(
            device,
            severity,
            "%.0f corrected %s errors a minute over %s"
                .formatted(
                    rate,
                    fact.endsWith("dram") ? "DRAM" : "SRAM",
                    Durations.show(change.elapsed())))
        .evidence(device.source(fact), device.number(fact).orElse(0))
        .evidence("grown by", change.increase() + " in " + Durations.show(change.elapsed()))
        .evidence("part", Remedy.part(device))
        // Others have seen such rates, but where to draw the line is our choice.
        .proof(Proof.DOCUMENTED)
        .remedy(
            "Let the job save a checkpoint, drain the node, then: "
                + Remedy.reset(device)
                + "; if the errors come back, run dcgmi diag -r 3 and return the part");
    return true;
  }
}
