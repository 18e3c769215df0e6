package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;
import java.util.Optional;

/**
 * The PCIe link of each accelerator against what it and its slot can do. Lanes do not come and go,
 * so fewer of them is always a fault; the generation falls when the GPU idles and is judged only
 * under load. A slot of an older generation is how the machine was built, unless the peers' are
 * newer.
 */
public final class GpuPcieLink implements Check {
  private static final String WIDTH = "pci.width.current";
  private static final String MOST_WIDTH = "pci.width.maximum";
  private static final String GENERATION = "pci.generation.current";
  private static final String SLOT = "pci.generation.slot";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.pcie.link",
              "Does every accelerator have its full PCIe link?",
              FaultClass.HARDWARE,
              Proof.RECORDED)
          .reads("nvml pci.generation.*", "nvml pci.width.*", "nvml utilisation.percent")
          .meaning(
              "Input data, checkpoints and, without GPUDirect, all network traffic pass this link;"
                  + " at half the width the rank is late at every step.")
          .remedy(
              "Drain the node, power it off and on; if it stays, have the module, riser or retimer"
                  + " reseated: lspci -vv -s ADDRESS | grep LnkSta")
          .limit("load", 10, "percent", "an idle link may sleep at a lower generation");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Survey.amongPeers(exam, SLOT, "full width", (device, usual) -> answer(exam, device, usual));
  }

  private static Survey.Answer answer(
      Examination exam, Accelerator device, Optional<String> peers) {
    long width = device.number(WIDTH).orElse(0);
    long mostWidth = device.number(MOST_WIDTH).orElse(0);
    long generation = device.number(GENERATION).orElse(0);
    long slot = device.number(SLOT).orElse(0);
    if (width <= 0 || mostWidth <= 0) {
      return Survey.Answer.UNKNOWN;
    }
    if (width < mostWidth) {
      return tell(exam, device, "runs on %d of %d PCIe lanes".formatted(width, mostWidth));
    }
    boolean busy = device.number("utilisation.percent").orElse(0) >= exam.limit("load");
    if (busy && generation > 0 && generation < slot) {
      return tell(
          exam, device, "its PCIe link runs at generation %d of %d".formatted(generation, slot));
    }
    if (slot > 0 && peers.filter(usual -> number(usual) > slot).isPresent()) {
      return tell(
          exam,
          device,
          "its PCIe slot offers generation %d, those of its peers %s".formatted(slot, peers.get()));
    }
    return Survey.Answer.GOOD;
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static Survey.Answer tell(Examination exam, Accelerator device, String summary) {
    // Boards of desktops and laptops often give a card fewer lanes than it has.
    Severity severity = device.dataCentre() ? Severity.DEGRADED : Severity.INFO;
    var draft = exam.draft(device, severity, summary);
    for (String fact : List.of(WIDTH, MOST_WIDTH, GENERATION, SLOT, "pci.generation.maximum")) {
      device.text(fact).ifPresent(value -> draft.evidence(device.source(fact), value));
    }
    device
        .text("pci.address")
        .ifPresent(
            address ->
                draft.remedy(
                    "See lspci -vv -s "
                        + address
                        + " | grep Lnk; drain the node, power it off and on; if it stays, have the"
                        + " module, riser or retimer reseated"));
    return Survey.Answer.TOLD;
  }
}
