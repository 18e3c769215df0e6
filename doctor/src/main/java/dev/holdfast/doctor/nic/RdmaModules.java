package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import java.util.List;

/** Whether the kernel drives the InfiniBand adapters that are plugged in. */
public final class RdmaModules implements Check {
  private static final String PCI = "/sys/bus/pci/devices";
  private static final String INFINIBAND = "0x0207";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "rdma.modules",
              "Are the drivers of the InfiniBand adapters loaded?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(PCI + "/*/class", "/sys/class/infiniband", "/sys/module/mlx5_ib")
          .meaning(
              "An adapter without its RDMA driver is no error to NCCL: it falls back to sockets and"
                  + " the job runs at a tenth of its speed.")
          .remedy(
              "modprobe mlx5_ib; dmesg | grep mlx5 tells why it did not load; after a kernel update"
                  + " rebuild the driver package (dkms status)");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    NodeView node = exam.node();
    List<String> known =
        RdmaDevices.ports(node).stream().flatMap(port -> port.pciAddress().stream()).toList();
    boolean loaded = node.exists("/sys/module/mlx5_ib");
    if (known.isEmpty() && loaded) {
      throw new Unavailable("the RDMA driver is loaded, but no device is visible from here");
    }
    int driven = 0;
    int adapters = 0;
    for (String address : node.list(PCI)) {
      String code = node.text(PCI + "/" + address + "/class").orElse("");
      if (!code.startsWith(INFINIBAND)) {
        continue;
      }
      adapters++;
      String driver = node.link(PCI + "/" + address + "/driver").orElse("none");
      if (known.contains(address) || driver.endsWith("vfio-pci")) {
        driven++;
      } else {
        exam.degraded(exam.here().part("pci", address), "an InfiniBand adapter has no RDMA device")
            .evidence(PCI + "/" + address + "/class", code)
            .evidence(PCI + "/" + address + "/driver", driver)
            .evidence("/sys/module/mlx5_ib", loaded ? "loaded" : "absent");
      }
    }
    if (adapters == 0) {
      throw new Unavailable(
          known.isEmpty() ? RdmaDevices.NONE : "no InfiniBand adapter on the PCI bus");
    }
    if (driven > 0) {
      exam.pass(driven + " InfiniBand adapters driven");
    }
  }
}
