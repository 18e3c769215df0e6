package dev.holdfast.doctor.contract;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.software.Variables;
import java.util.List;

/** Whether the image itself sets variables that belong to the platform. */
final class Reserved implements Check {
  private final Platform platform;
  private final CheckInfo info;

  Reserved(Platform platform) {
    this.platform = platform;
    this.info =
        CheckInfo.of(
                platform.check("environment"),
                "Does the image leave " + platform.title() + "'s own variables alone?",
                FaultClass.CONFIGURATION,
                Proof.DOCUMENTED)
            .reads("environment " + String.join("*, ", platform.reserved()) + "*")
            .meaning(
                "A value from the image stands where the platform's is expected: ranks find the"
                    + " wrong peers or folders, on every job with this image.")
            .remedy("Remove these ENV lines from the Dockerfile");
  }

  @Override
  public CheckInfo info() {
    return info;
  }

  @Override
  public void run(Examination exam) {
    Variables variables = Variables.of(exam.node());
    if (!variables.known()) {
      exam.skip("the environment is not known");
      return;
    }
    boolean running =
        platform.sign().startsWith("/")
            ? exam.node().exists(platform.sign())
            : variables.value(platform.sign()).isPresent();
    if (running) {
      exam.skip(platform.title() + " itself runs this container; its variables are its own");
      return;
    }
    List<String> taken =
        variables.values().keySet().stream()
            .filter(name -> platform.reserved().stream().anyMatch(name::startsWith))
            .sorted()
            .toList();
    if (taken.isEmpty()) {
      exam.pass("none is set");
    } else {
      exam.warning(exam.here(), "the image sets " + String.join(", ", taken))
          .evidence("environment", String.join(" ", taken))
          .remedy("Remove from the Dockerfile: ENV " + String.join(", ENV ", taken));
    }
  }
}
