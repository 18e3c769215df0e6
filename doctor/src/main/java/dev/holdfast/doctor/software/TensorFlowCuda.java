package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.CudaRelease;
import dev.holdfast.core.compatibility.TensorFlowRelease;
import dev.holdfast.core.compatibility.Version;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;
import java.util.Optional;

/** Whether the driver runs the CUDA each TensorFlow on the node was built with. */
public final class TensorFlowCuda implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "software.tensorflow.cuda",
              "Does the driver run the CUDA that TensorFlow was built with?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads("/sys/module/nvidia/version", "site-packages/tensorflow-*.dist-info")
          .meaning(
              "TensorFlow says \"Could not find cuda drivers\" and goes on without GPUs: the job"
                  + " runs, a hundred times slower, and holds the others back.")
          .remedy("Install a newer driver, or an older TensorFlow");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<PythonFolder> folders =
        PythonFolders.of(exam.node(), Variables.of(exam.node())).stream()
            .filter(folder -> folder.version("tensorflow").isPresent())
            .toList();
    if (folders.isEmpty()) {
      return;
    }
    Driver driver = Driver.require(exam.node(), exam.accelerators());
    for (PythonFolder folder : folders) {
      folder.version("tensorflow").ifPresent(version -> judge(exam, driver, folder, version));
    }
  }

  private static void judge(
      Examination exam, Driver driver, PythonFolder folder, Version tensorflow) {
    Optional<TensorFlowRelease> release = TensorFlowRelease.of(tensorflow);
    Optional<Version> least = release.flatMap(found -> CudaRelease.leastDriver(found.cuda()));
    if (release.isEmpty() || least.isEmpty()) {
      exam.skip("TensorFlow " + tensorflow + " is not in the table of known releases");
    } else if (driver.version().atLeast(least.get())) {
      exam.pass("TensorFlow " + tensorflow + " in " + folder.path());
    } else {
      exam.draft(
              exam.here(),
              folder.active() ? Severity.FATAL : Severity.DEGRADED,
              "TensorFlow %s in %s is built with CUDA %s, which needs driver %s or newer; %s is loaded"
                  .formatted(
                      tensorflow,
                      folder.path(),
                      release.get().cuda(),
                      least.get(),
                      driver.version()))
          .evidence(folder.path(), "tensorflow " + tensorflow)
          .evidence(driver.source(), driver.version())
          .remedy("Install driver " + least.get() + " or newer and reboot, or an older TensorFlow");
    }
  }
}
