package dev.holdfast.doctor.pcie;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Whether every PCIe link on the way to a GPU, NIC or drive runs at the speed both ends can. */
public final class PcieLinkSpeed implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "pcie.link.speed",
              "Do the PCIe links of GPUs, NICs and drives run at full speed?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads(
              "/sys/bus/pci/devices/*/current_link_speed", "/sys/bus/pci/devices/*/max_link_speed")
          .meaning(
              "A link trained to Gen3 instead of Gen5 moves a quarter of the data. Copies to the"
                  + " GPU, checkpoints and GPUDirect RDMA through it slow every step, and since all"
                  + " ranks wait for this one, the whole job.")
          .remedy(
              "Drain the node and power-cycle it (a warm reboot often does not retrain); if it"
                  + " stays, reseat the card or riser and look at: lspci -vv -s ADDRESS");

  private static final String RESTING =
      "a GPU slows its link while it rests: ask again while it works";

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
        "at full speed",
        PcieLink::speed,
        (link, speed) -> {
          if (link.mayRest()) {
            exam.skip(RESTING);
          } else {
            tell(exam, devices, link, speed.now(), speed.possible());
          }
        });
  }

  private static void tell(
      Examination exam, PciDevices devices, PcieLink link, double now, double possible) {
    PciDevice device = link.device();
    exam.degraded(
            device.subject(),
            "the link of %s runs at %s instead of %s"
                .formatted(link.users(devices), words(now), words(possible)))
        .evidence(device.path("current_link_speed"), now + " GT/s")
        .evidence(device.path("max_link_speed"), device.speed("max_link_speed").orElse(0) + " GT/s")
        .evidence(
            link.parent().path("max_link_speed"),
            link.parent().speed("max_link_speed").orElse(0) + " GT/s")
        .remedy(
            "Drain and power-cycle the node; if it stays, reseat the card or riser. Details: lspci"
                + " -vv -s "
                + device.address());
  }

  /** {@code 8 GT/s (Gen3)}. */
  static String words(double speed) {
    int generation = 1;
    for (double top = 2.5; speed > top && generation < 7; generation++) {
      top = generation == 1 ? 5 : generation == 2 ? 8 : top * 2;
    }
    return (speed == Math.rint(speed) ? Long.toString((long) speed) : Double.toString(speed))
        + " GT/s (Gen"
        + generation
        + ")";
  }
}
