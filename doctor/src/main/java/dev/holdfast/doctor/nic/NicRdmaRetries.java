package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.nic.CounterRule.Per;
import java.util.List;

/** Whether RDMA connections lose packets and send them again. */
public final class NicRdmaRetries implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.rdma.retries",
              "Do RDMA connections run without retries?",
              FaultClass.NETWORK,
              Proof.DOCUMENTED)
          .reads(
              "/sys/class/infiniband/*/ports/*/hw_counters/rnr_nak_retry_err",
              "/sys/class/infiniband/*/ports/*/hw_counters/local_ack_timeout_err",
              "/sys/class/infiniband/*/ports/*/hw_counters/packet_seq_err",
              "/sys/class/infiniband/*/ports/*/hw_counters/out_of_sequence")
          .meaning(
              "Retries are lost packets seen from the sender. A few slow one ring of the "
                  + "collective; when the retry count of a connection is used up, NCCL fails with "
                  + "'transport retry counter exceeded' and the job ends.")
          .remedy(
              "Check the path, not only this port: PFC and ECN on every switch, cables with "
                  + "errors, a peer that is down. Show the counters with: rdma statistic show")
          .limit(
              "receiver",
              0,
              "per hour",
              "NVSentinel nic-health-monitor default: any increase of rnr_nak_retry_err")
          .limit("timeouts", 1, "per second", "NVSentinel nic-health-monitor default")
          .limit("sequence", 10, "per second", "ours: as for port_rcv_errors");

  private static final List<CounterRule> RULES =
      List.of(
          new CounterRule(
              "hw_counters/rnr_nak_retry_err",
              "receiver",
              Per.HOUR,
              Severity.DEGRADED,
              "connections given up because the receiver was not ready"),
          new CounterRule(
              "hw_counters/local_ack_timeout_err",
              "timeouts",
              Per.SECOND,
              Severity.DEGRADED,
              "acknowledgements that did not come in time"),
          new CounterRule(
              "hw_counters/packet_seq_err",
              "sequence",
              Per.SECOND,
              Severity.DEGRADED,
              "packets the receiver reported missing"),
          new CounterRule(
              "hw_counters/out_of_sequence",
              "sequence",
              Per.SECOND,
              Severity.WARNING,
              "packets received out of order"));

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    CounterWatch.run(exam, RdmaDevices.requireActive(exam.node()), RULES);
  }
}
