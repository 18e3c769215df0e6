package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.nic.CounterRule.Per;
import java.util.List;

/** Whether packets arrive damaged. */
public final class NicErrorsReceive implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.errors.receive",
              "Do packets arrive undamaged?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads(
              "/sys/class/infiniband/*/ports/*/counters/port_rcv_errors",
              "/sys/class/infiniband/*/ports/*/counters/port_rcv_remote_physical_errors")
          .meaning(
              "A damaged packet is sent again after a timeout, so a few per second are enough "
                  + "to make this node the slowest of every all-reduce.")
          .remedy(
              "Find which end is bad: perfquery on this port and on the switch port; reseat "
                  + "or swap the cable between them")
          .limit("errors", 10, "per second", "NVSentinel nic-health-monitor default")
          .limit("remote", 10, "per second", "as for port_rcv_errors");

  private static final List<CounterRule> RULES =
      List.of(
          new CounterRule(
              "counters/port_rcv_errors",
              "errors",
              Per.SECOND,
              Severity.DEGRADED,
              "damaged packets received"),
          new CounterRule(
              "counters/port_rcv_remote_physical_errors",
              "remote",
              Per.SECOND,
              Severity.WARNING,
              "packets received that were damaged further away"));

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    CounterWatch.run(exam, RdmaDevices.requireActive(exam.node()), RULES);
  }
}
