package dev.holdfast.doctor.pcie;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Whether every PCIe link on the way to a GPU, NIC or drive uses all the lanes both ends have. */
public final class PcieLinkWidth implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "pcie.link.width",
              "Do the PCIe links of GPUs, NICs and drives use all their lanes?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads(
              "/sys/bus/pci/devices/*/current_link_width", "/sys/bus/pci/devices/*/max_link_width")
          .meaning(
              "Lost lanes are lost bandwidth, in proportion: an x16 link on x8 makes this rank the"
                  + " last to finish every transfer, and the job waits for it. It is a contact or"
                  + " solder fault and tends to get worse.")
          .remedy(
              "Drain the node, power-cycle it, reseat the card or riser; look at: lspci -vv -s"
                  + " ADDRESS");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    PciDevices devices = PciDevices.read(exam.node());
    PcieLink.judge(
        exam,
        devices,
        "at full width",
        PcieLink::lanes,
        (link, lanes) -> tell(exam, devices, link, (int) lanes.now(), (int) lanes.possible()));
  }

  private static void tell(
      Examination exam, PciDevices devices, PcieLink link, int now, int possible) {
    PciDevice device = link.device();
    exam.degraded(
            device.subject(),
            "the link of %s uses %d lanes of %d".formatted(link.users(devices), now, possible))
        .evidence(device.path("current_link_width"), now)
        .evidence(device.path("max_link_width"), device.lanes("max_link_width").orElse(0))
        .evidence(
            link.parent().path("max_link_width"), link.parent().lanes("max_link_width").orElse(0))
        .remedy(
            "Drain and power-cycle the node, then reseat the card or riser. Details: lspci -vv -s "
                + device.address());
  }
}
