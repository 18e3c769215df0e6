package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Durations;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the hardware holds the clocks down. Idling and the power limit do so all the time and are
 * normal; heat and the power brake of the chassis are emergencies. The present moment is in the
 * reasons, the minutes before it in counters of time.
 */
public final class GpuThrottle implements Check {
  private static final Duration WINDOW = Duration.ofMinutes(10);
  private static final String REASONS = "throttle.words";

  private static final Map<String, String> WORDS =
      Map.of(
          "hardware-thermal", "heat (hardware thermal slowdown)",
          "power-brake", "the power brake of the chassis (hardware power brake slowdown)",
          "hardware-slowdown", "the hardware (hardware slowdown)",
          "software-thermal", "the driver because of heat (software thermal slowdown)");

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.throttle",
              "Does heat or power hold the clocks of an accelerator down?",
              FaultClass.HARDWARE,
              Proof.RECORDED)
          .reads("nvml throttle.words", "nvml violation.*.nanoseconds", "history")
          .meaning(
              "A GPU that is slowed down becomes the slowest rank, and the whole job runs at its"
                  + " pace, however many GPUs are well.")
          .remedy(
              "Check fans, air flow and inlet temperature, then power supplies and leads; ipmitool"
                  + " sdr lists them")
          .limit("share", 0.6, "of the time", "gpud: 6 of 10 minutes");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "no slowdown by hardware", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    Optional<Change> heat = slowed(exam, device, "violation.hardware.thermal.nanoseconds");
    Optional<Change> brake = slowed(exam, device, "violation.power.brake.nanoseconds");
    if (device.text(REASONS).isEmpty()) {
      return Survey.Answer.UNKNOWN;
    }
    List<String> reasons = List.of(device.text(REASONS).orElse("").split(","));
    for (String reason :
        List.of("hardware-thermal", "power-brake", "hardware-slowdown", "software-thermal")) {
      if (reasons.contains(reason)) {
        boolean hardware = !reason.equals("software-thermal") && device.dataCentre();
        Draft draft =
            exam.draft(
                    device,
                    hardware ? Severity.DEGRADED : Severity.WARNING,
                    "the clocks are held down by " + WORDS.get(reason))
                .evidence(device.source(REASONS), device.text(REASONS).orElse(""));
        evidence(draft, device);
        return Survey.Answer.TOLD;
      }
    }
    return over(exam, device, "heat", heat) || over(exam, device, "the power brake", brake)
        ? Survey.Answer.TOLD
        : Survey.Answer.GOOD;
  }

  private static void evidence(Draft draft, Accelerator device) {
    for (String fact :
        List.of(
            "temperature.core.celsius",
            "temperature.margin.celsius",
            "clock.sm.mhz",
            "power.draw.watts")) {
      device.text(fact).ifPresent(value -> draft.evidence(device.source(fact), value));
    }
  }

  private static Optional<Change> slowed(Examination exam, Accelerator device, String fact) {
    return device.number(fact).isEmpty()
        ? Optional.empty()
        : exam.change(device.counter(fact), device.number(fact).orElse(0), WINDOW);
  }

  private static boolean over(
      Examination exam, Accelerator device, String what, Optional<Change> change) {
    if (change.isEmpty()) {
      return false;
    }
    Duration slow = Duration.ofNanos(change.get().increase());
    double share = change.get().perSecond() / 1e9;
    if (share < exam.limit("share")) {
      return false;
    }
    exam.draft(
            device,
            Severity.DEGRADED,
            "held down by %s for %s of the last %s"
                .formatted(what, Durations.show(slow), Durations.show(change.get().elapsed())))
        .evidence("violation time", change.get().increase() + " ns");
    return true;
  }
}
