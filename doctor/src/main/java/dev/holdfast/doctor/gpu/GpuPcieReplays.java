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
 * PCIe packets sent twice. A link may flip one bit in 10^12, so a full Gen5 x16 link may repeat
 * thirty-one packets a minute; more is a bad contact or a marginal cable.
 */
public final class GpuPcieReplays implements Check {
  private static final Duration WINDOW = Duration.ofMinutes(30);
  private static final String FACT = "pci.replays";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.pcie.replays",
              "Does the PCIe link repeat more packets than its error budget allows?",
              FaultClass.HARDWARE,
              Proof.RECORDED)
          .reads("nvml " + FACT, "nvml pci.generation.current", "history")
          .meaning(
              "Copies to and from the GPU become slower and jittery, and links that repeat much tend"
                  + " to drop lanes or the GPU altogether.")
          .remedy("Drain the node and have the module, riser or retimer reseated")
          .limit("errors", 1, "per 10^12 bits", "PCIe specification; DCGM replay limits follow it")
          .limit("severe", 10, "times the budget", "chosen here");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "within the error budget", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    long replays = device.number(FACT).orElse(-1);
    if (replays < 0) {
      return Survey.Answer.UNKNOWN;
    }
    Optional<Change> change = exam.change(device.counter(FACT), replays, WINDOW);
    if (change.isEmpty()) {
      if (replays == 0) {
        return Survey.Answer.GOOD;
      }
      exam.needsHistory();
      return Survey.Answer.TOLD;
    }
    long generation =
        device
            .number("pci.generation.maximum")
            .orElse(device.number("pci.generation.current").orElse(3));
    long width = device.number("pci.width.current").orElse(16);
    double budget = exam.limit("errors") * budget(generation, width);
    double rate = change.get().perMinute();
    if (rate <= budget) {
      return Survey.Answer.GOOD;
    }
    exam.draft(
            device,
            rate > budget * exam.limit("severe") ? Severity.DEGRADED : Severity.WARNING,
            "%.0f PCIe packets repeated a minute, its link may have %.0f".formatted(rate, budget))
        .evidence(device.source(FACT), replays)
        .evidence(
            "grown by", change.get().increase() + " in " + Durations.show(change.get().elapsed()));
    return Survey.Answer.TOLD;
  }

  /** Bit errors a minute at one in 10^12, for so many lanes of so many gigatransfers a second. */
  static long budget(long generation, long width) {
    double gigatransfers =
        switch ((int) generation) {
          case 1 -> 2.5;
          case 2 -> 5;
          case 3 -> 8;
          default -> 8 << Math.clamp(generation - 3, 1, 4);
        };
    return (long) Math.ceil(gigatransfers * Math.clamp(width, 1, 32) * 60 / 1000);
  }
}
