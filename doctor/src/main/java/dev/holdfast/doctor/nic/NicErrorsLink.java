package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.nic.CounterRule.Per;
import java.util.List;

/** Whether a link recovers or overruns, the steps just before it goes down. */
public final class NicErrorsLink implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.errors.link",
              "Do links stay trained, without recoveries or overruns?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads(
              "/sys/class/infiniband/*/ports/*/counters/link_error_recovery",
              "/sys/class/infiniband/*/ports/*/counters/local_link_integrity_errors",
              "/sys/class/infiniband/*/ports/*/counters/excessive_buffer_overrun_errors")
          .meaning(
              "Each recovery stops the port for milliseconds while every other rank waits; "
                  + "integrity and overrun errors mean that flow control over the cable fails and "
                  + "packets are lost.")
          .remedy(
              "Reseat, then swap the cable; compare both ends with: mlxlink -d DEVICE -m -c; "
                  + "update the adapter and switch firmware if it stays")
          .limit("recoveries", 5, "per minute", "NVSentinel nic-health-monitor default")
          .limit("integrity", 0, "per hour", "NVSentinel nic-health-monitor default: any increase")
          .limit("overrun", 0, "per hour", "NVSentinel nic-health-monitor default: any increase");

  private static final List<CounterRule> RULES =
      List.of(
          new CounterRule(
              "counters/link_error_recovery",
              "recoveries",
              Per.MINUTE,
              Severity.DEGRADED,
              "link recoveries"),
          new CounterRule(
              "counters/local_link_integrity_errors",
              "integrity",
              Per.HOUR,
              Severity.DEGRADED,
              "link integrity errors"),
          new CounterRule(
              "counters/excessive_buffer_overrun_errors",
              "overrun",
              Per.HOUR,
              Severity.DEGRADED,
              "buffer overruns"));

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    CounterWatch.run(exam, RdmaDevices.requireActive(exam.node()), RULES);
  }
}
