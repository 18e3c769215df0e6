package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.CudaRelease;
import dev.holdfast.core.compatibility.Version;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.Optional;

/** Whether each PyTorch on the node can use its GPUs through the driver that is loaded. */
public final class TorchCuda implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "software.torch.cuda",
              "Does the driver run the CUDA that PyTorch was built with?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads(
              "/sys/module/nvidia/version",
              "site-packages/torch/version.py",
              "environment VIRTUAL_ENV, CONDA_PREFIX")
          .meaning(
              "torch.cuda.is_available() is False on this node: the rank ends at once, or trains on"
                  + " the processor and holds all others back.")
          .remedy("Install a newer driver, or a PyTorch built with an older CUDA");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Variables variables = Variables.of(exam.node());
    var torches = Torch.in(exam.node(), PythonFolders.of(exam.node(), variables));
    if (torches.isEmpty()) {
      return;
    }
    Driver driver = Driver.require(exam.node(), exam.accelerators());
    for (Torch torch : torches) {
      if (torch.cuda().isPresent()) {
        judge(exam, driver, torch, torch.cuda().get());
      } else if (torch.plain() && torch.folder().active()) {
        exam.degraded(exam.here(), torch.title() + " is built without CUDA")
            .evidence(torch.source(), torch.version())
            .evidence(driver.source(), driver.version())
            .remedy("Install a build for CUDA: pip install torch --index-url with cu126 or newer");
      }
    }
  }

  private static void judge(Examination exam, Driver driver, Torch torch, Version cuda) {
    Optional<Version> least = CudaRelease.leastDriver(cuda);
    if (least.isEmpty()) {
      exam.skip("CUDA " + cuda + " is not in the table of known releases");
      return;
    }
    if (driver.version().atLeast(least.get())) {
      exam.pass(torch.title() + " has CUDA " + cuda);
      return;
    }
    boolean forward =
        CudaDriver.forward(exam.node(), "/usr/local/cuda")
            .filter(found -> found.atLeast(least.get()))
            .isPresent();
    if (forward) {
      exam.pass(torch.title() + " has CUDA " + cuda + ", by a forward-compatibility package");
      return;
    }
    Severity severity = torch.folder().active() ? Severity.FATAL : Severity.DEGRADED;
    exam.draft(
            exam.here(),
            severity,
            "%s is built with CUDA %s, which needs driver %s or newer; %s is loaded"
                .formatted(torch.title(), cuda, least.get(), driver.version()))
        .evidence(torch.source(), "CUDA " + cuda)
        .evidence(driver.source(), driver.version())
        .remedy(
            "Install driver %s or newer and reboot, or a PyTorch for CUDA %s"
                .formatted(
                    least.get(),
                    CudaRelease.newestFor(driver.version())
                        .map(release -> release.cuda() + " or older")
                        .orElse("of an older release")));
  }
}
