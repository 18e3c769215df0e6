package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.PyTorchRelease;
import dev.holdfast.core.compatibility.Version;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.Optional;

/** Whether each PyTorch lies under a Python it is published for. */
public final class TorchPython implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "software.torch.python",
              "Is PyTorch installed under a Python version it supports?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads("site-packages/torch-*.dist-info", "site-packages/torch/version.py")
          .meaning(
              "Compiled modules belong to one Python version: under another, importing torch fails"
                  + " or extensions do, when the job is already placed.")
          .remedy("Make the environment anew with a Python the release supports");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Variables variables = Variables.of(exam.node());
    for (Torch torch : Torch.in(exam.node(), PythonFolders.of(exam.node(), variables))) {
      Optional<Version> python = torch.folder().python();
      Optional<PyTorchRelease> release = PyTorchRelease.of(torch.version());
      if (python.isEmpty()) {
        exam.skip("which Python " + torch.folder().path() + " belongs to is not told by its name");
      } else if (release.isEmpty()) {
        exam.skip("PyTorch " + torch.version() + " is not in the table of known releases");
      } else if (release.get().supportsPython(python.get())) {
        exam.pass(torch.title());
      } else {
        exam.warning(
                exam.here(),
                "PyTorch %s supports Python %s to %s, but lies under Python %s"
                    .formatted(
                        torch.version(),
                        release.get().firstPython(),
                        release.get().lastPython(),
                        python.get()))
            .evidence(torch.source(), torch.version())
            .evidence(torch.folder().path(), "Python " + python.get());
      }
    }
  }
}
