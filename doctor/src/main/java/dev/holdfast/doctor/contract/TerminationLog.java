package dev.holdfast.doctor.contract;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Whether the image's user may leave the reason of a failure where Kubernetes looks for it. */
final class TerminationLog implements Check {
  private static final String LOG = "/dev/termination-log";

  private static final CheckInfo INFO =
      CheckInfo.of(
              Platform.KUBERNETES.check("terminationlog"),
              "Can the reason of a failure be written for Kubernetes?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads("image path " + LOG)
          .meaning(
              "The first 4 KiB of this file become the pod's termination message; without it a"
                  + " failed pod shows only an exit code.")
          .remedy(
              "Set terminationMessagePath to a file the image's user may write, or in the"
                  + " Dockerfile choose a USER that may write "
                  + LOG);

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Image.Place place = Image.of(exam.node()).place(LOG);
    if (!place.isThere()) {
      exam.skip("Kubernetes makes " + LOG + " when it starts the pod");
    } else if (place.writable()) {
      exam.pass(LOG + " is writable");
    } else {
      exam.warning(exam.here(), LOG + " cannot be written by the image's user")
          .evidence("image " + LOG, "mode " + place.mode() + ", owner " + place.owner());
    }
  }
}
