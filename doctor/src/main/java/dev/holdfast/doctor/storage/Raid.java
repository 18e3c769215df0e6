package dev.holdfast.doctor.storage;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.kernel.KernelStory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether software RAID arrays have all their members. */
public final class Raid implements Check {
  private static final String PATH = "/proc/mdstat";
  private static final Pattern ARRAY = Pattern.compile("^(md[^ ]{1,32}) : (.{1,2000})");
  private static final Pattern MEMBERS =
      Pattern.compile("\\[(\\d{1,4})/(\\d{1,4})\\] \\[([U_]{1,512})\\]");
  private static final Pattern WORK =
      Pattern.compile("(recovery|resync|reshape|check) *= *([0-9.]{1,8}%)");

  private static final CheckInfo INFO =
      CheckInfo.of(
              "storage.raid",
              "Have all software RAID arrays all their members?",
              FaultClass.STORAGE,
              Proof.DOCUMENTED)
          .reads(PATH, "kernel-log")
          .meaning(
              "An array without redundancy loses the checkpoints with its next drive, and is slow"
                  + " while it rebuilds.")
          .remedy(
              "mdadm --detail /dev/ARRAY names the member; replace the drive, then mdadm --add");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    String array = "";
    String head = "";
    boolean any = false;
    for (String line : exam.node().read(PATH).text().orElse("").split("\n")) {
      Matcher name = ARRAY.matcher(line);
      if (name.find()) {
        array = name.group(1);
        head = name.group(2);
        any |= judgeHead(exam, array, head);
        continue;
      }
      if (!array.isEmpty()) {
        judgeBody(exam, array, head, line);
      }
    }
    new KernelStory(exam).about("disk").tell(exam.kernel().known("raid.failed"));
    if (any) {
      exam.pass("arrays active");
    }
  }

  private static boolean judgeHead(Examination exam, String array, String head) {
    if (head.startsWith("inactive")) {
      exam.degraded(exam.here().part("disk", array), "array " + array + " is not running")
          .evidence(PATH, array + " : " + head)
          .remedy("mdadm --detail /dev/" + array + "; mdadm --assemble --scan");
      return false;
    }
    if (head.contains("(F)")) {
      exam.degraded(exam.here().part("disk", array), "array " + array + " has a failed member")
          .evidence(PATH, array + " : " + head)
          .remedy(INFO.remedy().replace("ARRAY", array));
      return false;
    }
    return true;
  }

  private static void judgeBody(Examination exam, String array, String head, String line) {
    Matcher members = MEMBERS.matcher(line);
    if (members.find() && members.group(3).contains("_") && !head.contains("(F)")) {
      Draft draft =
          exam.degraded(
              exam.here().part("disk", array),
              "array %s runs with %s of %s members"
                  .formatted(array, members.group(2), members.group(1)));
      draft
          .evidence(PATH, array + " " + members.group())
          .remedy(INFO.remedy().replace("ARRAY", array));
    }
    Matcher work = WORK.matcher(line);
    if (work.find() && !work.group(1).equals("check")) {
      exam.info(
              exam.here().part("disk", array),
              "array %s is busy with a %s (%s)".formatted(array, work.group(1), work.group(2)))
          .evidence(PATH, line.strip())
          .remedy("Nothing: wait for its end before measuring storage");
    }
  }
}
