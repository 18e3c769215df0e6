package dev.holdfast.doctor;

import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.gpu.GpuApplicationClock;
import dev.holdfast.doctor.gpu.GpuBar1Size;
import dev.holdfast.doctor.gpu.GpuClockDeficit;
import dev.holdfast.doctor.gpu.GpuComputeMode;
import dev.holdfast.doctor.gpu.GpuCount;
import dev.holdfast.doctor.gpu.GpuDeviceFiles;
import dev.holdfast.doctor.gpu.GpuDriver;
import dev.holdfast.doctor.gpu.GpuEccCorrectedRate;
import dev.holdfast.doctor.gpu.GpuEccMode;
import dev.holdfast.doctor.gpu.GpuEccSramThreshold;
import dev.holdfast.doctor.gpu.GpuEccUncorrected;
import dev.holdfast.doctor.gpu.GpuFabricState;
import dev.holdfast.doctor.gpu.GpuHealthReported;
import dev.holdfast.doctor.gpu.GpuInforom;
import dev.holdfast.doctor.gpu.GpuMemoryRepair;
import dev.holdfast.doctor.gpu.GpuMigMode;
import dev.holdfast.doctor.gpu.GpuNvlinkErrors;
import dev.holdfast.doctor.gpu.GpuNvlinkState;
import dev.holdfast.doctor.gpu.GpuPagesRetired;
import dev.holdfast.doctor.gpu.GpuPcieLink;
import dev.holdfast.doctor.gpu.GpuPcieReplays;
import dev.holdfast.doctor.gpu.GpuPersistence;
import dev.holdfast.doctor.gpu.GpuPowerLimit;
import dev.holdfast.doctor.gpu.GpuProcesses;
import dev.holdfast.doctor.gpu.GpuReachable;
import dev.holdfast.doctor.gpu.GpuRecoveryAction;
import dev.holdfast.doctor.gpu.GpuRowsRemapped;
import dev.holdfast.doctor.gpu.GpuSxid;
import dev.holdfast.doctor.gpu.GpuTemperature;
import dev.holdfast.doctor.gpu.GpuThrottle;
import dev.holdfast.doctor.gpu.GpuUniform;
import dev.holdfast.doctor.gpu.GpuXid;
import dev.holdfast.doctor.inventory.SiteInventory;
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
          new GpuCount(),
          new GpuReachable(),
          new GpuDriver(),
          new GpuDeviceFiles(),
          new GpuHealthReported(),
          new GpuXid(),
          new GpuSxid(),
          new GpuRecoveryAction(),
          new GpuEccUncorrected(),
          new GpuEccCorrectedRate(),
          new GpuEccSramThreshold(),
          new GpuEccMode(),
          new GpuRowsRemapped(),
          new GpuPagesRetired(),
          new GpuMemoryRepair(),
          new GpuInforom(),
          new GpuThrottle(),
          new GpuTemperature(),
          new GpuApplicationClock(),
          new GpuClockDeficit(),
          new GpuPowerLimit(),
          new GpuNvlinkState(),
          new GpuNvlinkErrors(),
          new GpuFabricState(),
          new GpuPcieLink(),
          new GpuPcieReplays(),
          new GpuBar1Size(),
          new GpuProcesses(),
          new GpuPersistence(),
          new GpuMigMode(),
          new GpuComputeMode(),
          new GpuUniform(),
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
          new PythonMixture(),
          // the site
          new SiteInventory());

  public static List<Check> all() {
    return ALL;
  }
}
