package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.GpuArchitecture;
import dev.holdfast.core.compatibility.PyTorchWheel;
import dev.holdfast.core.compatibility.Version;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether each PyTorch carries code for the node's GPUs.
 *
 * <p>What the published wheels carry is known by table; of other builds only that a CUDA release
 * which dropped an architecture cannot serve it.
 */
public final class TorchArchitecture implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "software.torch.architecture",
              "Was PyTorch built for this kind of GPU?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads("nvml compute.capability", "site-packages/torch/version.py")
          .meaning(
              "The first kernel ends with \"no kernel image is available for execution on the"
                  + " device\": PyTorch sees the GPU but cannot compute on it.")
          .remedy("Install the PyTorch wheel that carries code for this GPU");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Variables variables = Variables.of(exam.node());
    List<Torch> torches = Torch.in(exam.node(), PythonFolders.of(exam.node(), variables));
    if (torches.stream().noneMatch(torch -> torch.cuda().isPresent())) {
      return;
    }
    String machine = Processor.machine(exam.node());
    Capabilities.of(exam.accelerators())
        .forEach(
            (capability, device) -> {
              for (Torch torch : torches) {
                torch
                    .cuda()
                    .ifPresent(cuda -> judge(exam, torch, cuda, capability, device, machine));
              }
            });
  }

  private static void judge(
      Examination exam,
      Torch torch,
      Version cuda,
      Version capability,
      Accelerator device,
      String machine) {
    Optional<PyTorchWheel> wheel =
        torch.isPublished() ? PyTorchWheel.find(torch.version(), cuda, machine) : Optional.empty();
    boolean dropped =
        GpuArchitecture.of(capability).filter(gpu -> gpu.isDroppedBy(cuda)).isPresent();
    boolean lacking = wheel.isPresent() && !wheel.get().runsOn(capability);
    if (!dropped && !lacking) {
      if (wheel.isPresent()) {
        exam.pass(torch.title() + " carries code for capability " + capability);
      } else {
        exam.skip("what " + torch.title() + " was built for is not published");
      }
      return;
    }
    Severity severity = torch.folder().active() ? Severity.FATAL : Severity.DEGRADED;
    String carried =
        wheel
            .map(
                found ->
                    found.capabilities().stream()
                        .map(Version::toString)
                        .collect(Collectors.joining(" ")))
            .orElse("CUDA " + cuda + " no longer serves this architecture");
    exam.draft(
            device.subject(),
            severity,
            "%s (CUDA %s) has no code for %s, compute capability %s"
                .formatted(torch.title(), cuda, device.model(), capability))
        .evidence(torch.source(), "CUDA " + cuda + "; carries " + carried)
        .evidence(device.source("compute.capability"), capability)
        .remedy(remedy(torch, capability, machine));
  }

  private static String remedy(Torch torch, Version capability, String machine) {
    String wheels =
        PyTorchWheel.forGpu(torch.version(), capability, machine).stream()
            .map(wheel -> "cu" + wheel.cuda().major() + wheel.cuda().minor())
            .collect(Collectors.joining(" or "));
    if (!wheels.isEmpty()) {
      return "Install the wheel of this release for this GPU: torch==%s from the index %s"
          .formatted(torch.version().text().split("\\+", 2)[0], wheels);
    }
    return GpuArchitecture.of(capability)
        .map(
            gpu ->
                gpu.lastCuda()
                    .map(last -> "Install a PyTorch built with CUDA " + last + " or older")
                    .orElse(
                        "Install a newer PyTorch, built with CUDA "
                            + gpu.firstCuda()
                            + " or newer"))
        .orElse(INFO.remedy());
  }
}
