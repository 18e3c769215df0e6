package dev.holdfast.doctor;

import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.gpu.GpuEccUncorrected;
import dev.holdfast.doctor.memory.MemoryAvailable;
import dev.holdfast.doctor.memory.TransparentHugePages;
import dev.holdfast.doctor.nic.NicCongestion;
import dev.holdfast.doctor.nic.NicCount;
import dev.holdfast.doctor.nic.NicErrorsDiscards;
import dev.holdfast.doctor.nic.NicErrorsLink;
import dev.holdfast.doctor.nic.NicErrorsReceive;
import dev.holdfast.doctor.nic.NicErrorsSymbol;
import dev.holdfast.doctor.nic.NicFirmwareUniform;
import dev.holdfast.doctor.nic.NicLinkFlap;
import dev.holdfast.doctor.nic.NicLinkRate;
import dev.holdfast.doctor.nic.NicLinkState;
import dev.holdfast.doctor.nic.NicRdmaRetries;
import dev.holdfast.doctor.pcie.PcieAccessControl;
import dev.holdfast.doctor.pcie.PcieErrors;
import dev.holdfast.doctor.pcie.PcieIommu;
import dev.holdfast.doctor.pcie.PcieLinkSpeed;
import dev.holdfast.doctor.pcie.PcieLinkWidth;
import dev.holdfast.doctor.pcie.PcieTopology;
import dev.holdfast.doctor.software.AscendTorch;
import dev.holdfast.doctor.software.CudaDriver;
import dev.holdfast.doctor.software.LibrariesPath;
import dev.holdfast.doctor.software.NcclVersion;
import dev.holdfast.doctor.software.PythonMixture;
import dev.holdfast.doctor.software.TensorFlowCuda;
import dev.holdfast.doctor.software.TorchArchitecture;
import dev.holdfast.doctor.software.TorchCuda;
import dev.holdfast.doctor.software.TorchPython;
import java.util.List;

/** Every built-in check, in the order in which reports show them. */
public final class Checks {
  private Checks() {}

  private static final List<Check> ALL =
      List.of(
          // accelerators
          new GpuEccUncorrected(),
          // network adapters
          new NicCount(),
          new NicLinkState(),
          new NicLinkRate(),
          new NicLinkFlap(),
          new NicErrorsSymbol(),
          new NicErrorsLink(),
          new NicErrorsReceive(),
          new NicErrorsDiscards(),
          new NicRdmaRetries(),
          new NicCongestion(),
          new NicFirmwareUniform(),
          // PCI Express
          new PcieLinkSpeed(),
          new PcieLinkWidth(),
          new PcieErrors(),
          new PcieAccessControl(),
          new PcieIommu(),
          new PcieTopology(),
          // memory
          new MemoryAvailable(),
          new TransparentHugePages(),
          // software
          new CudaDriver(),
          new TorchCuda(),
          new TorchArchitecture(),
          new TorchPython(),
          new TensorFlowCuda(),
          new NcclVersion(),
          new AscendTorch(),
          new LibrariesPath(),
          new PythonMixture());

  public static List<Check> all() {
    return ALL;
  }
}
