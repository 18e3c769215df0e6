package dev.holdfast.doctor.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Times;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;
import dev.holdfast.doctor.system.Identity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Whether an earlier boot ended in a panic, as the firmware's store remembers it. The names of EFI
 * records carry the time: seconds, then two digits of part and three of count.
 */
public final class Panic implements Check {
  private static final String STORE = "/sys/fs/pstore";
  private static final Duration RECENT = Duration.ofDays(7);

  private static final CheckInfo INFO =
      CheckInfo.of(
              "kernel.panic",
              "Did an earlier boot of this node end in a kernel panic?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads(STORE)
          .needs(Needs.READ_ALL)
          .meaning(
              "A node that has panicked tends to do it again, in the middle of somebody's run; the"
                  + " record says why and is lost if nobody keeps it.")
          .remedy(
              "Keep and read the record, then clear it: cp /sys/fs/pstore/* DIRECTORY && rm /sys/fs/pstore/*");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<String> records =
        exam.node().list(STORE).stream().filter(name -> name.startsWith("dmesg-")).toList();
    if (records.isEmpty()) {
      if (!Identity.of(exam.node()).readsEverything()) {
        exam.skip(STORE + " may be listed only by root");
      } else if (exam.node().exists(STORE)) {
        exam.pass("no record in " + STORE);
      }
      return;
    }
    Optional<Instant> time =
        records.stream().flatMap(name -> time(name).stream()).max(Instant::compareTo);
    boolean recent = time.map(when -> when.isAfter(exam.node().now().minus(RECENT))).orElse(false);
    String summary =
        "an earlier boot ended in a panic" + time.map(when -> " on " + Times.show(when)).orElse("");
    Draft draft = recent ? exam.degraded(exam.here(), summary) : exam.warning(exam.here(), summary);
    draft
        .evidence(STORE, String.join(" ", records.subList(0, Math.min(8, records.size()))))
        .since(time)
        .event();
  }

  static Optional<Instant> time(String record) {
    String digits = record.substring(record.lastIndexOf('-') + 1);
    if (!digits.matches("[0-9]{15,18}")) {
      return Optional.empty();
    }
    return Optional.of(Instant.ofEpochSecond(Long.parseLong(digits) / 100_000));
  }
}
