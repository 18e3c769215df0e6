package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.Optional;

/**
 * Whether the byte counters people look at hide the RDMA traffic.
 *
 * <p>On ConnectX-4 and later (mlx5) {@code rx_bytes}, and with it {@code ip -s link} and ifconfig,
 * counts only what passes the kernel; on ConnectX-3 (mlx4) the same name counted the wire. So an
 * RDMA job at full rate looks idle to a monitor that reads the usual file. That is worth a note
 * only where RDMA traffic has really outgrown what those files show.
 */
public final class NicCountersMisleading implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.counters.misleading",
              "Do the usual byte counters show the traffic of the RoCE ports?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(
              "probe ethtool-statistics/INTERFACE (rx_bytes, rx_bytes_phy,"
                  + " rx_vport_rdma_unicast_bytes)")
          .meaning(
              "Monitoring that reads rx_bytes or ip -s link sees none of the training traffic on"
                  + " ConnectX-4 and later: a busy rail looks idle, an idle one cannot be told.")
          .remedy(
              "Watch rx_bytes_phy (everything on the wire) or rx_vport_rdma_unicast_bytes (RDMA"
                  + " alone) of ethtool -S, or port_rcv_data of /sys/class/infiniband (times 4)");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    int plain = 0;
    int hidden = 0;
    Optional<EthernetPort> example = Optional.empty();
    for (EthernetPort port : EthernetPort.require(exam.node())) {
      long kernel = port.value("rx_bytes").orElse(0);
      long rdma = port.value("rx_vport_rdma_unicast_bytes").orElse(0);
      if (rdma > kernel) {
        hidden++;
        example = example.or(() -> Optional.of(port));
      } else {
        plain++;
      }
    }
    if (example.isPresent()) {
      EthernetPort port = example.get();
      long rdma = port.value("rx_vport_rdma_unicast_bytes").orElse(0);
      exam.info(
              exam.here(),
              "rx_bytes of %d RoCE interfaces hides most of their traffic (RDMA is not counted)"
                  .formatted(hidden))
          .evidence(port.source("rx_bytes"), Bytes.of(port.value("rx_bytes").orElse(0)))
          .evidence(port.source("rx_vport_rdma_unicast_bytes"), Bytes.of(rdma));
    }
    if (plain > 0) {
      exam.pass(plain + " interfaces whose rx_bytes shows most of the traffic");
    }
  }
}
