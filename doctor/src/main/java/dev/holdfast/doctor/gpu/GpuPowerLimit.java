package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.Locale;
import java.util.Optional;

/**
 * Power limits below the default. The same limit on all GPUs may be the site's will and is only
 * mentioned; one GPU that may draw less than its peers slows them all.
 */
public final class GpuPowerLimit implements Check {
  private static final String ENFORCED = "power.enforced.watts";
  private static final String DEFAULT = "power.default.watts";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.power.limit",
              "May every accelerator draw its default power, and as much as its peers?",
              FaultClass.CONFIGURATION,
              Proof.RECORDED)
          .reads("nvml " + ENFORCED, "nvml " + DEFAULT)
          .meaning(
              "Under load the clock follows the power; a GPU with less of it becomes the slowest"
                  + " rank of the job.")
          .remedy("sudo nvidia-smi -i INDEX -pl WATTS; look for who sets the limit at boot")
          .limit("tolerance", 1, "percent", "drivers round the limit");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.amongPeers(
        exam, ENFORCED, "at the default", (device, usual) -> answer(exam, device, usual));
  }

  private static Survey.Answer answer(
      Examination exam, Accelerator device, Optional<String> usual) {
    double limit = device.decimal(ENFORCED).orElse(0);
    double normal = device.decimal(DEFAULT).orElse(0);
    if (limit <= 0 || normal <= 0) {
      return Survey.Answer.UNKNOWN;
    }
    double share = 1 - exam.limit("tolerance") / 100;
    double peers = usual.map(GpuPowerLimit::number).orElse(limit);
    boolean odd = limit < peers * share;
    if (!odd && limit >= normal * share) {
      return Survey.Answer.GOOD;
    }
    exam.draft(
            device,
            odd ? Severity.DEGRADED : Severity.WARNING,
            odd
                ? "may draw %s W, its peers %s W".formatted(watts(limit), watts(peers))
                : "may draw %s W, its default is %s W%s"
                    .formatted(
                        watts(limit), watts(normal), usual.isPresent() ? ", as its peers" : ""))
        .evidence(device.source(ENFORCED), watts(limit))
        .evidence(device.source(DEFAULT), watts(normal))
        .remedy(
            Remedy.powerLimit(device, watts(odd ? peers : normal))
                + "; look for who sets it at boot");
    return Survey.Answer.TOLD;
  }

  private static double number(String watts) {
    try {
      return Double.parseDouble(watts);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static String watts(double value) {
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.1f", value);
  }
}
