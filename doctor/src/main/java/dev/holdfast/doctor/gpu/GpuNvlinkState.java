package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;

/**
 * Whether every NVLink that should be up is. How many should be is known for modules that are
 * always wired; for cards with optional bridges the peers tell. A lone GPU of a virtual machine has
 * nobody to talk to, and all its links down is as it should be.
 */
public final class GpuNvlinkState implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.nvlink.state",
              "Are all NVLinks between the GPUs up?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads("nvml nvlink.*.state")
          .meaning(
              "A collective goes at the speed of its narrowest GPU; with a link down the job runs"
                  + " slower, or NCCL falls back to PCIe, or does not start.")
          .remedy(
              "nvidia-smi nvlink --status; drain the node, restart nvidia-fabricmanager, reset all"
                  + " GPUs; if the link stays down, have the module reseated");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<Accelerator> devices =
        exam.accelerators().require().stream()
            .filter(
                device ->
                    !Links.of(device).none()
                        && !device.text("mig.mode").orElse("").equals("enabled"))
            .toList();
    if (devices.isEmpty()) {
      exam.skip("no accelerator here has NVLinks it reports on");
      return;
    }
    int most = devices.stream().mapToInt(device -> Links.of(device).up().size()).max().orElse(0);
    boolean alone = devices.size() == 1;
    if (most == 0 && (alone || devices.getFirst().productLinks() == 0)) {
      exam.skip("no NVLink is up: a single GPU, or cards without bridges");
      return;
    }
    Survey.of(exam, devices, "all links up", device -> answer(exam, device, most));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device, int most) {
    Links links = Links.of(device);
    int expected = Math.max(most, device.productLinks());
    if (links.up().size() >= expected) {
      return Survey.Answer.GOOD;
    }
    var draft =
        exam.draft(
            device,
            Severity.FATAL,
            "%d of %d NVLinks are up".formatted(links.up().size(), expected));
    if (links.down().isEmpty()) {
      draft.evidence(device.source("nvlink.*.state"), links.up().size() + " links told");
    }
    links.down().stream()
        .limit(4)
        .forEach(
            link ->
                draft.evidence(
                    device.source("nvlink." + link + ".state"),
                    device.text("nvlink." + link + ".state").orElse("")));
    return Survey.Answer.TOLD;
  }
}
