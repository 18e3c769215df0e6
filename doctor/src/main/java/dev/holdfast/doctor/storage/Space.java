package dev.holdfast.doctor.storage;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Mount;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Room on disks, and names for new files. A shared file system belongs to everybody, so it is told
 * later and never fails the node.
 */
public final class Space implements Check {
  private static final Set<String> MEMORY_POINTS = Set.of("/tmp", "/run", "/var/tmp");
  private static final Set<String> SHARED =
      Set.of("nfs", "nfs4", "lustre", "gpfs", "beegfs", "ceph", "wekafs", "cifs", "smb3");

  private static final CheckInfo INFO =
      CheckInfo.of(
              "storage.space",
              "Is there room left on every disk, and inodes for new files?",
              FaultClass.STORAGE,
              Proof.HARDWARE)
          .reads("filesystems", Mount.PATH)
          .meaning(
              "A full disk ends a run when it writes its checkpoint or its log, after the hours that"
                  + " the checkpoint was to keep; a full / or /tmp breaks daemons and container starts.")
          .remedy(
              "du -xh --max-depth=2 MOUNT | sort -h | tail; then remove old checkpoints, images, cores")
          .limit("warning", 10, "% free", "gpud disk component: below 10 %")
          .limit("degraded", 5, "% free", "check catalogue of peers: 5 to 10 %");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Set<String> readOnly =
        Mount.parse(exam.node().read(Mount.PATH).text().orElse("")).stream()
            .filter(mount -> mount.options().contains("ro") || mount.superOptions().contains("ro"))
            .map(Mount::point)
            .collect(Collectors.toSet());
    int sound = 0;
    for (FileSystem system : FileSystem.require(exam.node())) {
      boolean counts =
          system.answered()
              && system.size() > 0
              && !readOnly.contains(system.point())
              && !system.type().startsWith("fuse")
              && (!system.type().equals("tmpfs") || MEMORY_POINTS.contains(system.point()));
      if (counts && !tell(exam, system)) {
        sound++;
      }
    }
    if (sound > 0) {
      exam.pass(sound + " file systems have room");
    }
  }

  private static boolean tell(Examination exam, FileSystem system) {
    Severity space = severity(exam, system, system.freePercent());
    Severity names = severity(exam, system, system.freeFilesPercent());
    if (space != Severity.INFO) {
      String left =
          String.format(
              Locale.ROOT,
              "%s has %s left (%.1f %% of %s)",
              system.point(),
              Bytes.of(system.free()),
              system.freePercent(),
              Bytes.of(system.size()));
      exam.draft(exam.here().part("mount", system.point()), space, left)
          .evidence("statvfs " + system.point(), system.free() + " of " + system.size() + " bytes")
          .evidence("mounted from", system.source() + " (" + system.type() + ")")
          .remedy(INFO.remedy().replace("MOUNT", system.point()));
    }
    if (names != Severity.INFO) {
      exam.draft(
              exam.here().part("mount", system.point()),
              names,
              String.format(
                  Locale.ROOT,
                  "%s has inodes for only %d more files (%.1f %%)",
                  system.point(),
                  system.freeFiles(),
                  system.freeFilesPercent()))
          .evidence(
              "statvfs " + system.point(), system.freeFiles() + " of " + system.files() + " inodes")
          .remedy(
              "Find the folder with the many small files: du -x --inodes -d 3 "
                  + system.point()
                  + " | sort -n | tail");
    }
    return space != Severity.INFO || names != Severity.INFO;
  }

  private static Severity severity(Examination exam, FileSystem system, double free) {
    boolean shared = SHARED.contains(system.type());
    if (free < exam.limit("degraded")) {
      return shared ? Severity.WARNING : Severity.DEGRADED;
    }
    return free < exam.limit("warning") && !shared ? Severity.WARNING : Severity.INFO;
  }
}
