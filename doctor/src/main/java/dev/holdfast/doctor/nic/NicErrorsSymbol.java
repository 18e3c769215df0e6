package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.nic.CounterRule.Per;
import java.util.List;

/** Whether a link garbles symbols faster than a sound cable does. */
public final class NicErrorsSymbol implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.errors.symbol",
              "Does a link garble symbols no more often than a sound cable?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads("/sys/class/infiniband/*/ports/*/counters/symbol_error")
          .meaning(
              "Garbled symbols are repaired by retransmission until they are not: the "
                  + "collective waits for this port, then the link retrains or goes down and the "
                  + "whole job stops with it.")
          .remedy(
              "Reseat and clean the cable at both ends; if the errors stay, swap the cable, "
                  + "then the transceiver. See the optics with: mlxlink -d DEVICE -m -c")
          .limit("second", 10, "per second", "NVSentinel nic-health-monitor default")
          .limit(
              "hour",
              120,
              "per hour",
              "InfiniBand Trade Association bit error rate 1e-12; NVSentinel nic-health-monitor default");

  private static final List<CounterRule> RULES =
      List.of(
          new CounterRule(
              "counters/symbol_error", "second", Per.SECOND, Severity.FATAL, "symbol errors"),
          new CounterRule(
              "counters/symbol_error", "hour", Per.HOUR, Severity.DEGRADED, "symbol errors"));

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    CounterWatch.run(exam, RdmaDevices.requireActive(exam.node()), RULES);
  }
}
