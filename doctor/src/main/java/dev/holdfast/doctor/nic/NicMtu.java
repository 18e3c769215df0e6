package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether the RoCE rails have one packet size, large enough for RDMA.
 *
 * <p>RDMA packets are 4096 bytes at most and the size is a power of two that fits the interface: an
 * MTU of 1500 leaves 1024. Judged are only rails, three or more ports alike: a management port at
 * 1500 is as it should be.
 */
public final class NicMtu implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.mtu",
              "Have all RoCE rails the same packet size, and one that fits RDMA?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads("/sys/class/net/*/mtu")
          .meaning(
              "With an MTU of 1500 RDMA falls to packets of 1024 bytes: four times as many packets"
                  + " and a tenth or more of the bandwidth gone. Rails that differ connect with the"
                  + " smaller size, or drop the larger packets in silence.")
          .remedy(
              "ip link set dev INTERFACE mtu 9000 (or 4200), on the switch too; then in netplan")
          .limit("smallest", 4200, "bytes", "4096 bytes of RDMA payload and its headers");

  private static final int RAILS = 3;

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Map<String, Integer> seen = new TreeMap<>();
    for (List<RdmaPort> kind : RdmaDevices.kinds(RdmaDevices.requireEthernet(exam.node()))) {
      List<RdmaPort> known = kind.stream().filter(port -> mtu(port) > 0).toList();
      Optional<Long> usual = RdmaDevices.majority(known, NicMtu::mtu);
      for (RdmaPort port : known) {
        boolean rails = known.size() >= RAILS;
        if (rails && usual.isPresent() && mtu(port) != usual.get()) {
          tell(
              exam,
              port,
              "MTU %d; most rails have %d".formatted(mtu(port), usual.get()),
              usual.get());
        } else if (rails && mtu(port) < exam.limit("smallest")) {
          tell(
              exam,
              port,
              "MTU %d leaves RDMA packets of 1024 bytes or fewer".formatted(mtu(port)),
              9000);
        } else {
          seen.merge("MTU " + mtu(port), 1, Integer::sum);
        }
      }
    }
    if (!seen.isEmpty()) {
      exam.pass(
          String.join(
              ", ", seen.entrySet().stream().map(e -> e.getValue() + " × " + e.getKey()).toList()));
    } else {
      exam.skip("no RoCE port has a network interface here");
    }
  }

  private static long mtu(RdmaPort port) {
    return port.netDevice()
        .map(name -> port.node().number("/sys/class/net/" + name + "/mtu").orElse(0))
        .orElse(0L);
  }

  private static void tell(Examination exam, RdmaPort port, String summary, long wanted) {
    String name = port.netDevice().orElse("");
    exam.warning(port.subject(), summary)
        .evidence("/sys/class/net/" + name + "/mtu", mtu(port))
        .remedy(
            "ip link set dev %s mtu %d; make it stay in the network configuration, and check the"
                    .formatted(name, wanted)
                + " switch port");
  }
}
