package dev.holdfast.doctor.pcie;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.nic.RdmaDevices;
import dev.holdfast.doctor.node.Unavailable;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether the firmware says where GPUs sit, and whether each has an RDMA adapter on its side. */
public final class PcieTopology implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "pcie.topology",
              "Has every GPU an RDMA adapter on its own NUMA node?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(
              "/sys/bus/pci/devices/*/numa_node",
              "/sys/class/infiniband/*/device",
              "/sys/devices/system/node")
          .meaning(
              "Ranks are bound to the cores, memory and NIC nearest to their GPU. Without the"
                  + " firmware's word, or without a NIC on its side, a rank's traffic crosses the"
                  + " link between the sockets, which all other ranks share.")
          .remedy(
              "Check the BIOS settings for NUMA (NPS, sub-NUMA clustering) and in which slots the"
                  + " adapters sit; nvidia-smi topo -m shows the result");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    PciDevices devices = PciDevices.read(exam.node());
    List<PciDevice> gpus = devices.accelerators();
    long memories =
        exam.node().list("/sys/devices/system/node").stream()
            .filter(name -> name.matches("node[0-9]{1,4}"))
            .count();
    if (gpus.isEmpty() || memories < 2) {
      throw new Unavailable(
          gpus.isEmpty() ? "no GPU is visible on the PCI bus" : "one NUMA node: nothing to choose");
    }
    boolean guest = Platform.guest(exam.node());
    Set<Integer> served = served(exam, devices);
    int placed = 0;
    for (PciDevice gpu : gpus) {
      if (gpu.numaNode() < 0 && guest) {
        exam.skip("a virtual machine that does not say where its GPUs sit");
      } else if (gpu.numaNode() < 0) {
        exam.warning(gpu.subject(), "the firmware does not say on which NUMA node the GPU is")
            .evidence(gpu.path("numa_node"), gpu.numaNode())
            .evidence("/sys/devices/system/node", memories + " NUMA nodes");
      } else if (!served.isEmpty() && !served.contains(gpu.numaNode()) && gpus.size() > 1) {
        exam.warning(
                gpu.subject(),
                "no RDMA adapter on NUMA node %d of the GPU".formatted(gpu.numaNode()))
            .evidence(gpu.path("numa_node"), gpu.numaNode())
            .evidence("NUMA nodes with an active RDMA port", served);
      } else {
        placed++;
      }
    }
    if (placed > 0) {
      exam.pass(
          placed
              + " GPUs placed"
              + (served.isEmpty() ? "" : ", RDMA adapters on NUMA nodes " + served));
    }
  }

  /** The NUMA nodes with an active RDMA port. */
  private static Set<Integer> served(Examination exam, PciDevices devices) {
    return RdmaDevices.ports(exam.node()).stream()
        .filter(port -> port.active())
        .flatMap(port -> port.pciAddress().stream())
        .flatMap(address -> devices.at(address).stream())
        .map(PciDevice::numaNode)
        .filter(numa -> numa >= 0)
        .collect(Collectors.toCollection(java.util.TreeSet::new));
  }
}
