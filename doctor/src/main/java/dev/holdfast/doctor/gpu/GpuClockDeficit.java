package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;

/**
 * One GPU slower than its peers under the same load, for whatever reason. A single look is noisy
 * (under a power limit good chips differ by several percent), so only a large gap is told.
 */
public final class GpuClockDeficit implements Check {
  private static final String CLOCK = "clock.sm.mhz";
  private static final String LOAD = "utilisation.percent";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.clock.deficit",
              "Does an accelerator run slower than its peers under the same load?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads("nvml " + CLOCK, "nvml " + LOAD)
          .meaning("In synchronous training the slowest GPU sets the pace for all of them.")
          .remedy("Compare nvidia-smi -q -d CLOCK,PERFORMANCE,POWER,TEMPERATURE of it and a peer")
          .limit("deficit", 20, "percent", "chosen here for one look; 5 % over 5 minutes is usual")
          .limit("load", 80, "percent", "below that the clock follows the work");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Peers.byModel(exam.accelerators().require()).values().forEach(group -> compare(exam, group));
  }

  private static void compare(Examination exam, List<Accelerator> group) {
    List<Accelerator> busy =
        group.stream()
            .filter(device -> device.number(LOAD).orElse(0) >= exam.limit("load"))
            .filter(device -> device.number(CLOCK).isPresent())
            .toList();
    if (busy.size() < 3) {
      exam.skip("fewer than three accelerators of one model are under load");
      return;
    }
    double median =
        Peers.median(busy.stream().map(device -> device.decimal(CLOCK).orElse(0)).toList());
    Survey.of(
        exam,
        busy,
        "within reach of the median",
        device -> {
          double clock = device.decimal(CLOCK).orElse(0);
          double deficit = 100 * (1 - clock / median);
          if (deficit < exam.limit("deficit")) {
            return Survey.Answer.GOOD;
          }
          exam.draft(
                  device,
                  Severity.WARNING,
                  "runs at %.0f MHz, its peers under the same load at %.0f MHz"
                      .formatted(clock, median))
              .evidence(device.source(CLOCK), device.text(CLOCK).orElse(""))
              .evidence(device.source("throttle.words"), device.text("throttle.words").orElse(""))
              .evidence(
                  device.source("power.draw.watts"), device.text("power.draw.watts").orElse(""));
          return Survey.Answer.TOLD;
        });
  }
}
