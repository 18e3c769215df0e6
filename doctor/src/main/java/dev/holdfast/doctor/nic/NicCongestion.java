package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.nic.CounterRule.Per;
import java.util.List;

/** Whether RoCE senders are being slowed by congestion marks all the time. */
public final class NicCongestion implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.congestion",
              "Is the RoCE network free of lasting congestion?",
              FaultClass.NETWORK,
              Proof.DOCUMENTED)
          .reads(
              "/sys/class/infiniband/*/ports/*/hw_counters/roce_slow_restart",
              "/sys/class/infiniband/*/ports/*/hw_counters/np_cnp_sent",
              "/sys/class/infiniband/*/ports/*/hw_counters/rp_cnp_handled")
          .meaning(
              "Every notification halves the sending rate of a connection for a while. Some "
                  + "are normal under load; thousands per second mean two streams share one link, "
                  + "so the collective runs at a fraction of line rate.")
          .remedy(
              "Check how the flows are spread over the uplinks (ECMP, adaptive routing) and "
                  + "that one rail stays on one leaf switch; look at the DCQCN settings with: "
                  + "mlxconfig or /sys/class/net/IF/ecn")
          .limit(
              "restarts",
              10,
              "per second",
              "NVSentinel nic-health-monitor default: roce_slow_restart")
          .limit(
              "notifications",
              10000,
              "per second",
              "ours: about 1 % of the packets of a 400 Gb/s port at 4 KiB");

  private static final List<CounterRule> RULES =
      List.of(
          new CounterRule(
              "hw_counters/roce_slow_restart",
              "restarts",
              Per.SECOND,
              Severity.DEGRADED,
              "slow restarts of connections"),
          new CounterRule(
              "hw_counters/rp_cnp_handled",
              "notifications",
              Per.SECOND,
              Severity.WARNING,
              "congestion notifications obeyed"),
          new CounterRule(
              "hw_counters/np_cnp_sent",
              "notifications",
              Per.SECOND,
              Severity.WARNING,
              "congestion notifications sent"));

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    CounterWatch.run(exam, RdmaDevices.requireEthernet(exam.node()), RULES);
  }
}
