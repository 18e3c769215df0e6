package dev.holdfast.doctor.pcie;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;
import dev.holdfast.doctor.node.Unavailable;
import dev.holdfast.os.file.Reading;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;

/**
 * Whether PCIe switches send traffic between GPU and NIC up to the processor first.
 *
 * <p>Access Control Services redirect peer-to-peer requests to the root, which isolates virtual
 * machines and is needed there. On bare metal they only lengthen the way. Judged are the downstream
 * ports of switches: between root ports the way leads through the root in any case.
 */
public final class PcieAccessControl implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "pcie.access.control",
              "May GPUs and NICs below one PCIe switch talk directly?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .needs(Needs.ADMIN)
          .reads("probe pci-config/ADDRESS (Access Control Services, control register)")
          .meaning(
              "With request redirection on, GPUDirect RDMA and peer copies go up to the processor"
                  + " and back instead of through the switch: bandwidth drops to a half or less,"
                  + " and NCCL may hang.")
          .remedy(
              "Switch it off in the BIOS, or at boot for each switch port: setpci -s ADDRESS"
                  + " ECAP_ACS+0x6.w=0000");

  private static final int REDIRECT = 0x4 | 0x8 | 0x20;

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    PciDevices devices = PciDevices.read(exam.node());
    List<String> ports = switchPorts(devices);
    if (ports.isEmpty()) {
      throw new Unavailable("no PCIe switch above a GPU and a NIC is visible");
    }
    if (Platform.guest(exam.node())) {
      throw new Unavailable("a virtual machine: its host needs access control and decides on it");
    }
    boolean lendsGpus =
        devices.accelerators().stream()
            .anyMatch(gpu -> gpu.driver().filter(name -> name.startsWith("vfio")).isPresent());
    if (lendsGpus) {
      throw new Unavailable("GPUs are lent to virtual machines, which need access control");
    }
    Map<String, Integer> redirecting = new LinkedHashMap<>();
    int direct = 0;
    for (String port : ports) {
      Reading reading = exam.node().probe("pci-config/" + port);
      ConfigurationSpace space = ConfigurationSpace.parse(reading.text().orElse(""));
      if (!space.extended()) {
        exam.skip("the PCI configuration space may not be read (needs root)");
        continue;
      }
      OptionalInt control = space.accessControl();
      if ((control.orElse(0) & REDIRECT) != 0) {
        redirecting.put(port, control.getAsInt());
      } else {
        direct++;
      }
    }
    if (!redirecting.isEmpty()) {
      tell(exam, redirecting);
    } else if (direct > 0) {
      exam.pass(direct + " switch ports let peers talk directly");
    }
  }

  /** Downstream ports of switches that lead to a GPU or a NIC: not a root port, not the first. */
  private static List<String> switchPorts(PciDevices devices) {
    TreeSet<String> ports = new TreeSet<>();
    List<PciDevice> ends = new ArrayList<>(devices.accelerators());
    if (ends.isEmpty()) {
      return List.of();
    }
    ends.addAll(devices.network());
    for (PciDevice device : ends) {
      if (device.bridges().size() >= 3) {
        ports.add(device.bridges().getLast());
      }
    }
    return List.copyOf(ports);
  }

  private static void tell(Examination exam, Map<String, Integer> redirecting) {
    Draft draft =
        exam.degraded(
            exam.here(),
            "%d PCIe switch ports redirect peer-to-peer traffic to the processor"
                .formatted(redirecting.size()));
    redirecting.forEach(
        (port, control) ->
            draft.evidence("pci-config/" + port + " access control", "0x%04x".formatted(control)));
    draft.remedy(
        "Switch off ACS in the BIOS, or: for p in %s; do setpci -s $p ECAP_ACS+0x6.w=0000; done"
            .formatted(String.join(" ", redirecting.keySet())));
  }
}
