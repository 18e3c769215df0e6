package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.OptionalLong;

/**
 * How far each accelerator is from its maker's temperature limits. Newer GPUs tell the distance
 * itself (it falls to zero at the highest operating temperature, and below it at slowdown and
 * shutdown); older ones tell degrees and limits.
 */
public final class GpuTemperature implements Check {
  private static final String CORE = "temperature.core.celsius";
  private static final String MEMORY = "temperature.memory.celsius";
  private static final String MARGIN = "temperature.margin.celsius";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.temperature",
              "Is every accelerator below its temperature limits?",
              FaultClass.HARDWARE,
              Proof.RECORDED)
          .reads("nvml temperature.*")
          .meaning(
              "At the limit the GPU slows down and drags the job with it; a few degrees further it"
                  + " switches itself off.")
          .remedy(
              "Check fans, air flow, cold plates and inlet temperature; ipmitool sdr lists them")
          .limit(
              "shutdown", 2, "degrees from shutdown", "chosen here: a fan failure takes seconds");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "below the maker's limits", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    OptionalLong core = left(device, CORE, "temperature.limit.maximum.celsius", MARGIN);
    OptionalLong off = beforeShutdown(device);
    OptionalLong memory = left(device, MEMORY, "temperature.limit.memory.celsius", "");
    if (off.orElse(Long.MAX_VALUE) <= exam.limit("shutdown")) {
      tell(exam, device, Severity.FATAL, off.getAsLong() + " degrees before it switches off");
    } else if (core.orElse(1) <= 0) {
      tell(exam, device, Severity.DEGRADED, "at its highest operating temperature");
    } else if (memory.orElse(1) <= 0) {
      tell(exam, device, Severity.DEGRADED, "its memory is at its highest operating temperature");
    } else {
      return core.isPresent() || off.isPresent() ? Survey.Answer.GOOD : Survey.Answer.UNKNOWN;
    }
    return Survey.Answer.TOLD;
  }

  /** The limit in degrees where it is told, since drivers differ in how they tell the margin. */
  private static OptionalLong beforeShutdown(Accelerator device) {
    OptionalLong degrees = left(device, CORE, "temperature.limit.shutdown.celsius", "");
    boolean told = device.number("temperature.margin.shutdown.celsius").orElse(0) < 0;
    return degrees.isEmpty() && told
        ? difference(device, MARGIN, "temperature.margin.shutdown.celsius")
        : degrees;
  }

  /** Degrees left: as told by the device, or the limit less the temperature. */
  private static OptionalLong left(
      Accelerator device, String temperature, String limit, String margin) {
    if (device.number(margin).isPresent()) {
      return device.number(margin);
    }
    // Some drivers answer 0 for a limit they do not have.
    OptionalLong highest = device.number(limit);
    return highest.isPresent() && highest.getAsLong() > 0
        ? difference(device, limit, temperature)
        : OptionalLong.empty();
  }

  private static OptionalLong difference(Accelerator device, String fact, String other) {
    OptionalLong value = device.number(fact);
    OptionalLong reference = device.number(other);
    return value.isPresent() && reference.isPresent()
        ? OptionalLong.of(value.getAsLong() - reference.getAsLong())
        : OptionalLong.empty();
  }

  private static void tell(
      Examination exam, Accelerator device, Severity severity, String summary) {
    var draft = exam.draft(device, severity, "the accelerator is hot: " + summary);
    for (String fact : new String[] {CORE, MEMORY, MARGIN, "fan.percent"}) {
      device.text(fact).ifPresent(value -> draft.evidence(device.source(fact), value));
    }
  }
}
