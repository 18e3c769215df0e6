package dev.holdfast.doctor.contract;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;

/** Whether the image's user may write where the platform collects results. */
final class Folders implements Check {
  private final CheckInfo info;
  private final List<String> written;
  private final String fix;

  private Folders(Platform platform, String meaning, String fix, String... written) {
    this.written = List.of(written);
    this.fix = fix;
    this.info =
        CheckInfo.of(
                platform.check("paths"),
                "May the image's user write where " + platform.title() + " collects results?",
                FaultClass.CONFIGURATION,
                Proof.DOCUMENTED)
            .reads("image path " + String.join(", ", written))
            .meaning(meaning)
            .remedy(fix);
  }

  static Folders sagemaker() {
    return new Folders(
        Platform.SAGEMAKER,
        "Models go to /opt/ml/model, the reason of a failure to /opt/ml/output/failure: what cannot"
            + " be written there is lost, and a failed job shows no reason.",
        "In the Dockerfile: RUN mkdir -p /opt/ml/model /opt/ml/output && chown -R USER /opt/ml",
        "/opt/ml/model",
        "/opt/ml/output",
        "/opt/ml/checkpoints");
  }

  static Folders azureml() {
    return new Folders(
        Platform.AZUREML,
        "Only ./outputs and ./logs below the working folder are kept when the job ends.",
        "In the Dockerfile, leave WORKDIR and USER so that the user may write in the working folder",
        "working");
  }

  static Folders modelarts() {
    return new Folders(
        Platform.MODELARTS,
        "The boot command runs in /home/ma-user and puts code, data and logs below it.",
        "In the Dockerfile: RUN mkdir -p /home/ma-user && chown -R 1000:100 /home/ma-user",
        "/home/ma-user");
  }

  @Override
  public CheckInfo info() {
    return info;
  }

  @Override
  public void run(Examination exam) {
    Image image = Image.of(exam.node());
    for (String path : written) {
      Image.Place place = image.place(path);
      String name = path.startsWith("/") ? path : "the working folder";
      String said = place.kind() + ", mode " + place.mode() + ", owner " + place.owner();
      if (place.isThere() && !place.kind().equals("directory")) {
        exam.degraded(exam.here(), name + " is not a folder").evidence("image " + path, said);
      } else if (place.isThere() && !place.writable()) {
        exam.degraded(exam.here(), name + " cannot be written by the image's user")
            .evidence("image " + path, said)
            .remedy(fix);
      } else if (place.isThere()) {
        exam.pass(name + " is writable");
      } else if (path.equals("/home/ma-user")) {
        exam.degraded(exam.here(), name + " does not exist").evidence("image " + path, "absent");
      } else {
        exam.skip(path + " is not in the image; the platform makes it");
      }
    }
  }
}
