package dev.holdfast.doctor.pcie;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Unavailable;
import java.util.List;
import java.util.Optional;

/**
 * Whether the IOMMU translates every transfer of GPUs and NICs on bare metal. The kernel says per
 * group how it treats the devices, which is truer than the command line.
 */
public final class PcieIommu implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "pcie.iommu",
              "Do GPUs and NICs reach memory without address translation by the IOMMU?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(
              "/sys/class/iommu",
              "/sys/bus/pci/devices/*/iommu_group/type",
              "/proc/cmdline",
              "/proc/cpuinfo")
          .meaning(
              "With translation on, each peer-to-peer and RDMA transfer is looked up in the"
                  + " IOMMU: GPUDirect is slower or refused, and copies cost more processor time.")
          .remedy(
              "Add iommu=pt to the kernel command line (GRUB_CMDLINE_LINUX, update-grub) and reboot,"
                  + " or switch the IOMMU off in the BIOS");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<PciDevice> gpus = PciDevices.read(exam.node()).accelerators();
    if (gpus.isEmpty()) {
      throw new Unavailable("no GPU is visible on the PCI bus");
    }
    if (Platform.guest(exam.node())) {
      throw new Unavailable("a virtual machine: its host decides on the IOMMU");
    }
    if (Platform.arm(exam.node())) {
      throw new Unavailable(
          "an Arm machine: its processors and GPUs share addresses through the IOMMU");
    }
    if (exam.node().list("/sys/class/iommu").isEmpty()) {
      exam.pass("no IOMMU is active");
      return;
    }
    String commandLine = exam.node().text("/proc/cmdline").orElse("");
    int identity = 0;
    for (PciDevice gpu : gpus) {
      Optional<String> type = exam.node().text(gpu.path("iommu_group/type"));
      if (type.isEmpty()) {
        exam.skip("the kernel does not say how the IOMMU treats a device");
      } else if (type.get().startsWith("DMA")) {
        exam.warning(gpu.subject(), "the IOMMU translates the GPU's transfers (" + type.get() + ")")
            .evidence(gpu.path("iommu_group/type"), type.get())
            .evidence("/proc/cmdline", commandLine);
      } else {
        identity++;
      }
    }
    if (identity > 0) {
      exam.pass(identity + " GPUs pass the IOMMU untranslated");
    }
  }
}
