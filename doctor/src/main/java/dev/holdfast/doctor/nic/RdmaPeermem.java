package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import java.util.List;
import java.util.Optional;

/**
 * Whether an RDMA adapter can reach GPU memory: through the peer memory module, or through dma-buf.
 *
 * <p>Read from /sys/module, not asked of modinfo: where the driver comes in a container, modinfo
 * finds no module that is loaded all the same. dma-buf needs a kernel of 5.12 and the open kernel
 * modules of driver 515 or later.
 */
public final class RdmaPeermem implements Check {
  private static final String DRIVER = "/proc/driver/nvidia/version";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "rdma.peermem",
              "Can the RDMA adapters reach GPU memory directly?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(
              "/sys/module/nvidia_peermem",
              "/sys/module/nv_peer_mem",
              "/sys/class/infiniband/*/device/vendor",
              DRIVER,
              "/proc/sys/kernel/osrelease")
          .meaning(
              "Without GPUDirect RDMA every transfer is first copied to host memory: bandwidth"
                  + " between nodes falls to a half or less, and processors and PCIe carry it twice.")
          .remedy(
              "modprobe nvidia-peermem; make it stay: echo nvidia-peermem >"
                  + " /etc/modules-load.d/nvidia-peermem.conf (after the RDMA drivers)");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    NodeView node = exam.node();
    List<RdmaPort> ports =
        RdmaDevices.require(node).stream().filter(port -> !reachesByItself(port)).toList();
    if (ports.isEmpty()) {
      throw new Unavailable("the driver of the RDMA adapters reaches GPU memory by itself");
    }
    boolean nvidia =
        exam.accelerators().all().stream().anyMatch(device -> device.vendor().equals("nvidia"));
    Optional<String> driver = node.text(DRIVER);
    if (!nvidia && driver.isEmpty()) {
      throw new Unavailable("no NVIDIA driver is loaded");
    }
    for (String module : new String[] {"nvidia_peermem", "nv_peer_mem"}) {
      if (node.exists("/sys/module/" + module)) {
        exam.pass(module + " is loaded");
        return;
      }
    }
    if (driver.isEmpty()) {
      throw new Unavailable("the flavour of the NVIDIA driver cannot be read");
    }
    String flavour = driver.get().lines().findFirst().orElse("");
    String kernel = node.text("/proc/sys/kernel/osrelease").orElse("");
    boolean open = flavour.contains("Open Kernel Module");
    if (open && atLeast(kernel, 5, 12) && atLeast(version(flavour), 515, 0)) {
      exam.pass("dma-buf: open kernel modules on kernel " + kernel);
    } else {
      // A lone RoCE port is often the ordinary network of a virtual machine.
      boolean rails = ports.size() > 1 || ports.stream().anyMatch(port -> !port.ethernet());
      exam.draft(
              exam.here(),
              rails ? Severity.DEGRADED : Severity.INFO,
              "neither nvidia_peermem nor dma-buf: no GPUDirect RDMA")
          .evidence("/sys/module/nvidia_peermem", "not loaded")
          .evidence(DRIVER, flavour)
          .evidence("/proc/sys/kernel/osrelease", kernel);
    }
  }

  /** Amazon's adapters (EFA) come with a driver that asks NVIDIA's for the memory itself. */
  private static boolean reachesByItself(RdmaPort port) {
    return port.node().text(port.devicePath("device/vendor")).filter("0x1d0f"::equals).isPresent();
  }

  /** The first word that looks like 580.95.05. */
  private static String version(String flavour) {
    for (String word : flavour.split("\\s+")) {
      if (word.length() >= 5 && Character.isDigit(word.charAt(0)) && word.indexOf('.') == 3) {
        return word;
      }
    }
    return "";
  }

  static boolean atLeast(String version, int major, int minor) {
    String[] parts = version.split("[^0-9]", 3);
    try {
      int first = Integer.parseInt(parts[0]);
      int second = parts.length > 1 && !parts[1].isEmpty() ? Integer.parseInt(parts[1]) : 0;
      return first > major || first == major && second >= minor;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
