package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.nic.CounterRule.Per;
import java.util.List;

/** Whether the port throws away packets it should send. */
public final class NicErrorsDiscards implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.errors.discards",
              "Does a port send all it is given?",
              FaultClass.NETWORK,
              Proof.DOCUMENTED)
          .reads(
              "/sys/class/infiniband/*/ports/*/counters/port_xmit_discards",
              "/sys/class/infiniband/*/ports/*/counters/VL15_dropped")
          .meaning(
              "Discarded packets mean that the port was down or blocked too long; each one "
                  + "costs a timeout of the connection, and the collective waits for it.")
          .remedy(
              "Look for the congested or flapping neighbour: ibqueryerrors -r on the fabric, "
                  + "holdfast doctor on the peers")
          .limit("discards", 100, "per second", "NVSentinel nic-health-monitor default")
          .limit("management", 100, "per second", "infiniband-diags ibcheckerrs: VL15Dropped 100");

  private static final List<CounterRule> RULES =
      List.of(
          new CounterRule(
              "counters/port_xmit_discards",
              "discards",
              Per.SECOND,
              Severity.DEGRADED,
              "packets discarded instead of sent"),
          new CounterRule(
              "counters/VL15_dropped",
              "management",
              Per.SECOND,
              Severity.WARNING,
              "management packets dropped"));

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    CounterWatch.run(exam, RdmaDevices.requireActive(exam.node()), RULES);
  }
}
