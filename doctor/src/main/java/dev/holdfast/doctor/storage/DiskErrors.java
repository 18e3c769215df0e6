package dev.holdfast.doctor.storage;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.core.text.Times;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.kernel.KernelStory;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Errors of disks and their file systems. ext4 keeps its own count in the superblock, which needs
 * no right to read and outlives the log. Drives without a medium (floppy, optical) are left out.
 */
public final class DiskErrors implements Check {
  private static final String EXT4 = "/sys/fs/ext4";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "storage.errors",
              "Have disks and file systems worked without errors?",
              FaultClass.STORAGE,
              Proof.DOCUMENTED)
          .reads("kernel-log", EXT4 + "/*/errors_count")
          .meaning(
              "A drive that times out stalls data loading and checkpoints for its whole timeout; one"
                  + " with read errors returns them as a crash of the rank that reads.")
          .remedy(
              "nvme smart-log or smartctl -a for the drive; umount and fsck for the file system");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<KernelEvent> events =
        exam
            .kernel()
            .known(
                "nvme.timeout",
                "nvme.down",
                "disk.io",
                "disk.beyond-end",
                "fs.ext4",
                "fs.journal",
                "fs.xfs.corruption")
            .stream()
            .filter(event -> !event.device().startsWith("fd") && !event.device().startsWith("sr"))
            .toList();
    boolean found = new KernelStory(exam).about("disk").tell(events);
    boolean counted = false;
    for (String device : exam.node().list(EXT4)) {
      OptionalLong errors = exam.node().number(EXT4 + "/" + device + "/errors_count");
      counted |= errors.isPresent();
      boolean logged =
          events.stream()
              .anyMatch(event -> event.rule().equals("fs.ext4") && event.device().equals(device));
      if (errors.orElse(0) > 0 && !logged) {
        found = true;
        tell(exam, device, errors.getAsLong());
      }
    }
    if (!found && exam.node().probe("kernel-log").text().isPresent()) {
      exam.pass("none in the kernel log" + (counted ? ", none counted by ext4" : ""));
    } else if (!found && counted) {
      exam.pass("none counted by ext4 (the kernel log was not readable)");
    } else if (!found) {
      exam.kernel().require();
    }
  }

  private static void tell(Examination exam, String device, long errors) {
    Optional<Instant> last = time(exam, EXT4 + "/" + device + "/last_error_time");
    String when = last.map(time -> ", the last on " + Times.show(time)).orElse("");
    exam.warning(
            exam.here().part("disk", device),
            "ext4 on %s has met %d errors%s".formatted(device, errors, when))
        .evidence(EXT4 + "/" + device + "/errors_count", errors)
        .since(time(exam, EXT4 + "/" + device + "/first_error_time"))
        .remedy("Unmount it and run: fsck.ext4 -f /dev/" + device + " (it clears the count)");
  }

  private static Optional<Instant> time(Examination exam, String path) {
    OptionalLong seconds = exam.node().number(path);
    return seconds.orElse(0) > 0
        ? Optional.of(Instant.ofEpochSecond(seconds.getAsLong()))
        : Optional.empty();
  }
}
