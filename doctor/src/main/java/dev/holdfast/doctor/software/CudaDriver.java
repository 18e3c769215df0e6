package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.CudaRelease;
import dev.holdfast.core.compatibility.Version;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.NodeView;
import java.util.List;
import java.util.Optional;

/**
 * Whether programs made with the node's CUDA toolkit run on the node's driver.
 *
 * <p>Only the toolkit programs get by default is judged: others may lie about for builds. A
 * forward-compatibility package heals an old driver, and harms a driver newer than itself.
 */
public final class CudaDriver implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "software.cuda.driver",
              "Is the NVIDIA driver new enough for the CUDA toolkit in use?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads(
              "/sys/module/nvidia/version",
              "/usr/local/cuda*/version.json",
              "/usr/local/cuda*/compat",
              "environment CUDA_HOME, LD_LIBRARY_PATH")
          .meaning(
              "Every program built with this toolkit ends at its first CUDA call with \"driver"
                  + " version is insufficient for CUDA runtime version\": a job that starts here"
                  + " fails on this node alone.")
          .remedy(
              "Install a driver the toolkit accepts, or make an older toolkit the default: ln -sfn"
                  + " /usr/local/cuda-VERSION /usr/local/cuda");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Driver driver = Driver.require(exam.node(), exam.accelerators());
    Variables variables = Variables.of(exam.node());
    compatibility(exam, driver, variables);
    List<CudaToolkit> toolkits = CudaToolkit.all(exam.node(), variables);
    for (CudaToolkit toolkit : toolkits) {
      if (toolkit.chosen() || toolkits.size() == 1) {
        judge(exam, driver, toolkit);
      }
    }
  }

  private static void judge(Examination exam, Driver driver, CudaToolkit toolkit) {
    Optional<Version> least = CudaRelease.leastDriver(toolkit.version());
    if (least.isEmpty()) {
      exam.skip("CUDA " + toolkit.version() + " is not in the table of known releases");
    } else if (driver.version().atLeast(least.get())) {
      exam.pass("driver " + driver.version() + " runs CUDA " + toolkit.version());
    } else if (forward(exam, toolkit).filter(found -> found.atLeast(least.get())).isPresent()) {
      exam.pass(
          "driver %s runs CUDA %s by its forward-compatibility package"
              .formatted(driver.version(), toolkit.version()));
    } else {
      exam.degraded(
              exam.here(),
              "the driver %s is too old for CUDA %s, which needs %s or newer"
                  .formatted(driver.version(), toolkit.version(), least.get()))
          .evidence(driver.source(), driver.version())
          .evidence(toolkit.source(), toolkit.version())
          .remedy(
              "Install driver %s or newer (CUDA %s comes with %s), then reboot; or make CUDA %s the default toolkit"
                  .formatted(
                      least.get(),
                      toolkit.version().release(),
                      CudaRelease.of(toolkit.version())
                          .map(release -> release.driver().toString())
                          .orElse("it"),
                      CudaRelease.newestFor(driver.version())
                          .map(release -> release.cuda() + " or older")
                          .orElse("of an older release")));
    }
  }

  /** The version of the user-mode driver in the toolkit's compat folder. */
  private static Optional<Version> forward(Examination exam, CudaToolkit toolkit) {
    return forward(exam.node(), toolkit.folder());
  }

  /** The same below a toolkit's folder; images of NVIDIA have it one folder deeper. */
  static Optional<Version> forward(NodeView node, String toolkit) {
    return Libraries.inFolder(node, toolkit + "/compat", "libcuda.so")
        .or(() -> Libraries.inFolder(node, toolkit + "/compat/lib", "libcuda.so"))
        .map(Libraries.Found::version);
  }

  private static void compatibility(Examination exam, Driver driver, Variables variables) {
    for (String folder : variables.folders("LD_LIBRARY_PATH")) {
      if (!folder.contains("/compat")) {
        continue;
      }
      Libraries.inFolder(exam.node(), folder, "libcuda.so")
          .filter(found -> found.version().major() < driver.version().major())
          .ifPresent(
              found ->
                  exam.degraded(
                          exam.here(),
                          "LD_LIBRARY_PATH puts the compatibility library %s before the newer driver %s"
                              .formatted(found.version(), driver.version()))
                      .evidence(found.path(), found.version())
                      .evidence(driver.source(), driver.version())
                      .meaning(
                          "A forward-compatibility library older than the driver does not work with"
                              + " it: CUDA programs end with \"unsupported display driver / cuda"
                              + " driver combination\" (error 803).")
                      .remedy("Take " + folder + " out of LD_LIBRARY_PATH"));
    }
  }
}
