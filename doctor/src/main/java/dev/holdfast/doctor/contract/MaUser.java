package dev.holdfast.doctor.contract;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Whether the user ModelArts starts the job as is in the image. */
final class MaUser implements Check {
  private static final String PASSWD = "/etc/passwd";

  private static final CheckInfo INFO =
      CheckInfo.of(
              Platform.MODELARTS.check("user"),
              "Is there a user ma-user with the number 1000?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads(PASSWD)
          .meaning(
              "ModelArts starts the boot command as user 1000: without that user the job has no"
                  + " home, no name and no right to its own folders.")
          .remedy(
              "In the Dockerfile: RUN useradd -m -d /home/ma-user -s /bin/bash -g 100 -u 1000"
                  + " ma-user, and USER 1000");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    String found = "no user ma-user and no user 1000";
    for (String line : exam.node().require(PASSWD).split("\n")) {
      String[] fields = line.split(":");
      if (fields.length < 6) {
        continue;
      }
      if (fields[0].equals("ma-user") && fields[2].equals("1000")) {
        exam.pass("ma-user is user 1000");
        return;
      }
      if (fields[0].equals("ma-user") || fields[2].equals("1000")) {
        found = fields[0] + " is user " + fields[2];
      }
    }
    exam.degraded(exam.here(), "the image has no user ma-user with the number 1000: " + found)
        .evidence(PASSWD, found);
  }
}
