package dev.holdfast.doctor.system;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Unavailable;

/** Whether the node's table of open files is about to be full. */
public final class OpenFiles implements Check {
  private static final String PATH = "/proc/sys/fs/file-nr";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "system.files.open",
              "Is there room in the node's table of open files?",
              FaultClass.SOFTWARE,
              Proof.HARDWARE)
          .reads(PATH)
          .meaning(
              "When the table is full nobody can open a file or socket: ranks, ssh and daemons fail at once.")
          .remedy(
              "sysctl fs.file-max=9223372036854775807; find who leaks: ls /proc/[0-9]*/fd | sort | uniq -c")
          .limit("warning", 80, "% in use", "gpud os component")
          .limit("degraded", 95, "% in use", "gpud os component");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    String[] words = exam.node().require(PATH).strip().split("\\s+");
    long used;
    double most;
    try {
      used = Long.parseLong(words[0]);
      most = Double.parseDouble(words[words.length - 1]);
    } catch (NumberFormatException e) {
      throw new Unavailable(PATH + " is not of the known form");
    }
    double percent = most > 0 ? used * 100.0 / most : 0;
    if (words.length == 3 && percent >= exam.limit("warning")) {
      String summary = "%d of %.0f open files are in use".formatted(used, most);
      Draft draft =
          percent >= exam.limit("degraded")
              ? exam.degraded(exam.here(), summary)
              : exam.warning(exam.here(), summary);
      draft.evidence(PATH, String.join(" ", words));
    } else {
      exam.pass(used + " open");
    }
  }
}
