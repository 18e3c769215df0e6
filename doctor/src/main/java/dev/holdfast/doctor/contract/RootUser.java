package dev.holdfast.doctor.contract;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Unavailable;

/** Who the image runs as: some platforms expect root, others forbid it. */
final class RootUser implements Check {
  private final CheckInfo info;
  private final boolean wanted;

  private RootUser(Platform platform, boolean wanted, String meaning, String remedy) {
    this.wanted = wanted;
    this.info =
        CheckInfo.of(
                platform.check("user"),
                "Does the image run as a user " + platform.title() + " accepts?",
                FaultClass.CONFIGURATION,
                Proof.DOCUMENTED)
            .reads("identity user")
            .meaning(meaning)
            .remedy(remedy);
  }

  static RootUser sagemaker() {
    return new RootUser(
        Platform.SAGEMAKER,
        true,
        "SageMaker mounts /opt/ml as root's: another user may not be able to write the model or the"
            + " reason of a failure.",
        "In the Dockerfile, remove USER or set USER root");
  }

  static RootUser kubernetes() {
    return new RootUser(
        Platform.KUBERNETES,
        false,
        "Clusters with the restricted pod security standard refuse images that run as root"
            + " (runAsNonRoot).",
        "In the Dockerfile: RUN useradd -m -u 1000 trainer, and USER 1000 (the number, not the"
            + " name)");
  }

  @Override
  public CheckInfo info() {
    return info;
  }

  @Override
  public void run(Examination exam) {
    String user =
        exam.node()
            .requireProbe("identity")
            .lines()
            .filter(line -> line.startsWith("user="))
            .map(line -> line.substring("user=".length()).strip())
            .findFirst()
            .orElseThrow(() -> new Unavailable("the user is not known"));
    boolean root = user.equals("0");
    if (root == wanted) {
      exam.pass("user " + user);
    } else if (wanted) {
      exam.warning(exam.here(), "the image runs as user " + user + ", not as root")
          .evidence("identity user", user);
    } else {
      exam.info(exam.here(), "the image runs as root").evidence("identity user", user);
    }
  }
}
