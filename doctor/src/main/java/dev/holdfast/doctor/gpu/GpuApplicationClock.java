package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/**
 * Clocks set below the default, often by a diagnostic or a benchmark that did not put them back.
 */
public final class GpuApplicationClock implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.clock.application",
              "Are the clocks an accelerator may use at their defaults?",
              FaultClass.CONFIGURATION,
              Proof.RECORDED)
          .reads("nvml clock.*.application.mhz", "nvml clock.*.default.mhz")
          .meaning(
              "The GPU never reaches the clock it was bought for, so the job runs at the pace of"
                  + " this one.")
          .remedy("sudo nvidia-smi -rac; where clocks were locked also: sudo nvidia-smi -rgc -rmc");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.of(exam, "at their defaults", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    Survey.Answer answer = Survey.Answer.UNKNOWN;
    for (String domain : new String[] {"graphics", "memory"}) {
      String setFact = "clock." + domain + ".application.mhz";
      String defaultFact = "clock." + domain + ".default.mhz";
      long set = device.number(setFact).orElse(0);
      long usual = device.number(defaultFact).orElse(0);
      if (set <= 0 || usual <= 0) {
        continue;
      }
      if (set < usual) {
        exam.draft(
                device,
                Severity.DEGRADED,
                "the %s clock is set to %d MHz, its default is %d MHz"
                    .formatted(domain, set, usual))
            .evidence(device.source(setFact), set)
            .evidence(device.source(defaultFact), usual)
            .remedy(
                "sudo nvidia-smi -i %d -rac; if it comes back, look for who sets it at boot"
                    .formatted(device.index()));
        return Survey.Answer.TOLD;
      }
      answer = Survey.Answer.GOOD;
    }
    return answer;
  }
}
