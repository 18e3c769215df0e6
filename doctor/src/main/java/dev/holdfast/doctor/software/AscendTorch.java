package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.TorchNpuRelease;
import dev.holdfast.core.compatibility.Version;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.Optional;

/** Whether torch_npu, PyTorch and Ascend's CANN toolkit belong together. */
public final class AscendTorch implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "software.npu",
              "Do torch_npu, PyTorch and CANN belong together?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads(
              "site-packages/torch_npu-*.dist-info",
              "site-packages/torch-*.dist-info",
              "/usr/local/Ascend/ascend-toolkit/latest/version.cfg")
          .meaning(
              "torch_npu extends exactly one PyTorch version and is released for one CANN; with"
                  + " another, importing it fails or operators are missing in the middle of a run.")
          .remedy("Install the three versions of one row of Ascend's compatibility table");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Installed installed = Installed.on(exam.node(), Variables.of(exam.node()));
    for (PythonFolder folder : installed.folders()) {
      Optional<Version> extension = folder.version("torch_npu");
      if (extension.isPresent()) {
        judge(exam, folder, extension.get(), installed.cann());
      }
    }
  }

  private static void judge(
      Examination exam, PythonFolder folder, Version extension, Optional<Libraries.Found> cann) {
    Optional<Version> torch = folder.version("torch");
    Optional<TorchNpuRelease> release = TorchNpuRelease.of(extension);
    if (torch.isPresent() && !torch.get().isOf(base(extension))) {
      exam.degraded(
              exam.here(),
              "torch_npu %s extends PyTorch %s, but %s is installed"
                  .formatted(extension, base(extension), torch.get()))
          .evidence(folder.path(), "torch_npu " + extension + ", torch " + torch.get())
          .remedy("pip install torch==" + base(extension));
    } else if (release.isPresent()
        && cann.isPresent()
        && !cann.get().version().equals(release.get().cann())) {
      exam.warning(
              exam.here(),
              "torch_npu %s was released for CANN %s, but %s is installed"
                  .formatted(extension, release.get().cann(), cann.get().version()))
          .evidence(folder.path(), "torch_npu " + extension)
          .evidence(cann.get().path(), cann.get().version());
    } else if (torch.isEmpty() || release.isEmpty() || cann.isEmpty()) {
      exam.skip("torch_npu " + extension + ": its PyTorch, its CANN or its table row is unknown");
    } else {
      exam.pass("torch_npu %s with CANN %s".formatted(extension, cann.get().version()));
    }
  }

  /** PyTorch 2.7.1 of torch_npu 2.7.1.post2. */
  private static Version base(Version extension) {
    int post = extension.text().indexOf(".post");
    return post < 0 ? extension : Version.of(extension.text().substring(0, post));
  }
}
