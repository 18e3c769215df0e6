package dev.holdfast.doctor.software;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;

/**
 * Whether LD_LIBRARY_PATH leads programs to a library that is no driver. The toolkit's stubs exist
 * for linking only: every call into them fails.
 */
public final class LibrariesPath implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "software.libraries.path",
              "Does LD_LIBRARY_PATH lead to real CUDA libraries?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads("environment LD_LIBRARY_PATH", "the folders it names")
          .meaning(
              "A stub answers every CUDA call with \"CUDA driver is a stub library\": no GPU is"
                  + " found, though all are well.")
          .remedy("Take the folder out of LD_LIBRARY_PATH");

  private static final List<String> DRIVERS = List.of("libcuda.so", "libnvidia-ml.so");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Variables variables = Variables.of(exam.node());
    List<String> folders = variables.folders("LD_LIBRARY_PATH");
    if (folders.isEmpty()) {
      return;
    }
    for (String folder : folders) {
      if (folder.endsWith("/stubs")) {
        stubs(exam, folder);
      } else if (folder.matches(".*/cuda-[0-9.]+/.*") && !exam.node().exists(folder)) {
        exam.info(exam.here(), "LD_LIBRARY_PATH names " + folder + ", which does not exist")
            .evidence("environment LD_LIBRARY_PATH", folder)
            .meaning("Programs take their CUDA libraries from another place than was meant.")
            .remedy("Correct LD_LIBRARY_PATH, or install that toolkit");
      }
    }
    exam.pass(folders.size() + " folders");
  }

  private static void stubs(Examination exam, String folder) {
    List<String> names = exam.node().list(folder);
    List<String> stubs =
        names.stream().filter(name -> DRIVERS.stream().anyMatch(name::startsWith)).toList();
    if (stubs.isEmpty()) {
      return;
    }
    boolean loaded = stubs.stream().anyMatch(name -> name.endsWith(".so.1"));
    String summary = "LD_LIBRARY_PATH contains the stub libraries of the CUDA toolkit: " + folder;
    var draft = loaded ? exam.degraded(exam.here(), summary) : exam.warning(exam.here(), summary);
    draft
        .evidence("environment LD_LIBRARY_PATH", folder)
        .evidence(folder, String.join(" ", stubs))
        .remedy("Take " + folder + " out of LD_LIBRARY_PATH; it is for linking only");
  }
}
