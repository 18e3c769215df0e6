package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which network interface belongs to which RDMA device, and whether a RoCE port has none. */
public final class NicNetDeviceMapping implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.netdev.mapping",
              "Is the network interface of every RoCE port visible?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(
              "/sys/class/infiniband/*/ports/*/gid_attrs/ndevs/*",
              "/sys/class/infiniband/*/device/net")
          .meaning(
              "RoCE takes its addresses from the network interface. A container that sees the RDMA"
                  + " device but not its interface has no usable address, and NCCL falls back to"
                  + " sockets or fails.")
          .remedy(
              "Start the container in the host's network (--network host, hostNetwork: true) or"
                  + " give it the interface with the RDMA device (SR-IOV or macvlan plug-in)");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<String> pairs = new ArrayList<>();
    for (RdmaPort port : RdmaDevices.require(exam.node())) {
      Optional<String> netDevice = port.netDevice();
      if (netDevice.isPresent()) {
        pairs.add(port.name() + " = " + netDevice.get());
      } else if (port.ethernet() && port.active()) {
        exam.warning(port.subject(), "the RoCE port has no network interface that can be seen here")
            .evidence(port.path("gid_attrs/ndevs/0"), "none")
            .evidence(port.devicePath("device/net"), "none");
      } else {
        pairs.add(port.name() + " without interface");
      }
    }
    if (!pairs.isEmpty()) {
      exam.pass(String.join(", ", pairs));
    }
  }
}
