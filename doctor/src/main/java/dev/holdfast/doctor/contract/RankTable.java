package dev.holdfast.doctor.contract;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.software.Variables;
import java.util.Optional;

/** Whether RANK_TABLE_FILE is what ModelArts makes of it: a folder, despite its name. */
final class RankTable implements Check {
  private static final String TABLE = "jobstart_hccl.json";

  private static final CheckInfo INFO =
      CheckInfo.of(
              Platform.MODELARTS.check("ranktable"),
              "Does RANK_TABLE_FILE name the folder of the rank table?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads("environment RANK_TABLE_FILE", "RANK_TABLE_FILE/" + TABLE)
          .meaning(
              "ModelArts gives a folder; the table in it is complete only once its status says so."
                  + " A job that reads it as a file, or too early, finds no peers.")
          .remedy(
              "Remove ENV RANK_TABLE_FILE from the Dockerfile; in the start script wait until "
                  + TABLE
                  + " in that folder has \"status\": \"completed\"");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Optional<String> path = Variables.of(exam.node()).value("RANK_TABLE_FILE");
    if (path.isEmpty()) {
      exam.skip("RANK_TABLE_FILE is not set; the platform sets it");
      return;
    }
    if (exam.node().read(path.get()).text().isPresent()) {
      exam.degraded(exam.here(), "RANK_TABLE_FILE names a file, not a folder")
          .evidence("environment RANK_TABLE_FILE", path.get());
      return;
    }
    Optional<String> table = exam.node().read(path.get() + "/" + TABLE).text();
    if (table.isEmpty()) {
      exam.warning(exam.here(), "there is no " + TABLE + " in " + path.get())
          .evidence("environment RANK_TABLE_FILE", path.get());
    } else if (table.get().replaceAll("\\s", "").contains("\"status\":\"completed\"")) {
      exam.pass("the rank table is complete");
    } else {
      exam.warning(exam.here(), "the rank table is not complete yet")
          .evidence(path.get() + "/" + TABLE, table.get());
    }
  }
}
