package dev.holdfast.doctor.contract;

import dev.holdfast.core.compatibility.Version;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.Optional;

/** Whether Azure ML can make the job's environment in the image: Conda, where one is asked for. */
final class CondaVersion implements Check {
  private static final Version LEAST = Version.of("4.7");

  private static final CheckInfo INFO =
      CheckInfo.of(
              Platform.AZUREML.check("conda"),
              "Is Conda new enough to make the job's environment?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads("image program conda", "conda-meta/conda-*.json beside it")
          .meaning(
              "An environment with a Conda file is built on top of the image: without Conda 4.7 or"
                  + " newer that fails before the job starts. An image that brings all packages"
                  + " itself needs none.")
          .remedy(
              "In the Dockerfile, install Miniconda and ENV PATH=/opt/conda/bin:$PATH; or give the"
                  + " job an environment without a Conda file");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Optional<String> conda = Image.of(exam.node()).program("conda");
    if (conda.isEmpty()) {
      exam.info(exam.here(), "there is no Conda in the image")
          .evidence("image program conda", "not on the PATH");
      return;
    }
    String prefix = conda.get().replaceFirst("/(bin|condabin)/conda$", "");
    Optional<Version> version =
        exam.node().list(prefix + "/conda-meta").stream()
            .filter(name -> name.matches("conda-\\d[^-]*-.*\\.json"))
            .map(name -> name.substring("conda-".length()))
            .map(Version::find)
            .flatMap(Optional::stream)
            .findFirst();
    if (version.isEmpty()) {
      exam.skip("the version of " + conda.get() + " is not known");
    } else if (version.get().isBefore(LEAST)) {
      exam.degraded(exam.here(), "Conda is older than " + LEAST)
          .evidence(prefix + "/conda-meta", version.get());
    } else {
      exam.pass(conda.get());
    }
  }
}
