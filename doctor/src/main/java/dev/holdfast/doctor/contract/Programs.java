package dev.holdfast.doctor.contract;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.ArrayList;
import java.util.List;

/** Whether the programs a platform starts are on the image's PATH. */
final class Programs implements Check {
  private final CheckInfo info;
  private final List<String> wanted;
  private final Severity severity;

  Programs(CheckInfo info, Severity severity, String... wanted) {
    this.info = info;
    this.severity = severity;
    this.wanted = List.of(wanted);
  }

  /** SageMaker starts the image as {@code IMAGE train}. */
  static Programs train() {
    return new Programs(
        CheckInfo.of(
                Platform.SAGEMAKER.check("entrypoint"),
                "Is there a program called train on the PATH?",
                FaultClass.CONFIGURATION,
                Proof.DOCUMENTED)
            .reads("image program train")
            .meaning(
                "SageMaker starts the image with the one argument 'train'; without such a program,"
                    + " and without a ContainerEntrypoint in the job, the container ends at once.")
            .remedy(
                "In the Dockerfile: COPY train /usr/local/bin/train and RUN chmod +x"
                    + " /usr/local/bin/train; or RUN pip install sagemaker-training, which brings one"),
        Severity.FATAL,
        "train");
  }

  static Programs python(Platform platform, Severity severity) {
    return new Programs(
        CheckInfo.of(
                platform.check("python"),
                "Is Python on the PATH without a login shell?",
                FaultClass.CONFIGURATION,
                Proof.DOCUMENTED)
            .reads("image program python, python3")
            .meaning(
                platform.title()
                    + " starts the command without a login shell: what only .bashrc or conda"
                    + " activate puts on the PATH is not found.")
            .remedy("In the Dockerfile: ENV PATH=/opt/conda/bin:$PATH, or install python3"),
        severity,
        "python3",
        "python");
  }

  static Programs shell(Platform platform) {
    return new Programs(
        CheckInfo.of(
                platform.check("shell"),
                "Is there a shell to start the command with?",
                FaultClass.CONFIGURATION,
                Proof.DOCUMENTED)
            .reads("image program bash, sh")
            .meaning(
                platform.title()
                    + " runs the job's command line through a shell; an image without one cannot"
                    + " start it.")
            .remedy("In the Dockerfile, start from an image with a shell, or install bash"),
        Severity.FATAL,
        "bash",
        "sh");
  }

  @Override
  public CheckInfo info() {
    return info;
  }

  @Override
  public void run(Examination exam) {
    Image image = Image.of(exam.node());
    List<String> found = new ArrayList<>();
    wanted.forEach(name -> image.program(name).ifPresent(found::add));
    if (found.isEmpty()) {
      exam.draft(exam.here(), severity, "no " + String.join(" or ", wanted) + " on the PATH")
          .evidence(
              "environment PATH",
              dev.holdfast.doctor.software.Variables.of(exam.node())
                  .value("PATH")
                  .orElse("not known"));
    } else {
      exam.pass(found.getFirst());
    }
  }
}
