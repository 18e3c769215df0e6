package dev.holdfast.doctor.contract;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;

/** Whether the image brings files to folders over which SageMaker mounts its own. */
final class HiddenFiles implements Check {
  private static final List<String> COVERED =
      List.of("/opt/ml/input", "/opt/ml/model", "/opt/ml/output");

  private static final CheckInfo INFO =
      CheckInfo.of(
              Platform.SAGEMAKER.check("mounts"),
              "Are the folders SageMaker mounts over empty in the image?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads("/opt/ml/input", "/opt/ml/model", "/opt/ml/output")
          .meaning(
              "SageMaker mounts its own folders there: files the image brings are not seen by the"
                  + " job, though they are when the image is tried by hand.")
          .remedy("In the Dockerfile, COPY code to /opt/ml/code and weights outside /opt/ml");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    if (exam.node().exists(Platform.SAGEMAKER.sign())) {
      exam.skip("SageMaker itself runs this container; its variables are its own");
      return;
    }
    for (String folder : COVERED) {
      List<String> names = exam.node().list(folder);
      if (names.isEmpty()) {
        exam.pass(folder + " is empty");
      } else {
        exam.warning(exam.here(), "the image has files in " + folder)
            .evidence(folder, String.join(" ", names.subList(0, Math.min(10, names.size()))));
      }
    }
  }
}
