package dev.holdfast.doctor.storage;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Mount;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * File systems the kernel made read-only after an error.
 *
 * <p>A mount somebody made read-only says so in its own options, too; one the kernel stopped is
 * {@code rw} there and {@code ro} in the options of the file system. Newer kernels say {@code
 * emergency_ro} or {@code shutdown}.
 */
public final class ReadOnly implements Check {
  private static final Set<String> DISKS = Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs");

  private static final CheckInfo INFO =
      CheckInfo.of(
              "storage.readonly",
              "Are all disks still writable?",
              FaultClass.STORAGE,
              Proof.DOCUMENTED)
          .reads(Mount.PATH, "kernel-log")
          .meaning(
              "After a disk or file system error the kernel stops all writes: checkpoints, logs and"
                  + " container starts fail, while reads go on as if nothing had happened.")
          .remedy(
              "Drain the node; umount it, or for / boot a rescue system; then fsck (ext4) or xfs_repair,"
                  + " and check the drive under it: nvme smart-log /dev/nvmeN");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<KernelEvent> events =
        exam.kernel().known("fs.read-only", "fs.xfs.shutdown", "fs.superblock");
    Set<String> told = new HashSet<>();
    int writable = 0;
    for (Mount mount : Mount.parse(exam.node().require(Mount.PATH))) {
      if (!DISKS.contains(mount.type()) || !told.add(mount.device())) {
        continue;
      }
      if (stopped(mount)) {
        tell(exam, mount, events);
      } else {
        writable++;
      }
    }
    if (writable > 0) {
      exam.pass(writable + " disk file systems as they were mounted");
    }
  }

  private static boolean stopped(Mount mount) {
    boolean asked = mount.options().contains("ro");
    return (mount.superOptions().contains("ro") && !asked)
        || mount.superOptions().contains("emergency_ro")
        || mount.superOptions().contains("shutdown");
  }

  private static void tell(Examination exam, Mount mount, List<KernelEvent> events) {
    Draft draft =
        exam.fatal(
                exam.here().part("mount", mount.point()),
                mount.point() + " was made read-only by the kernel")
            .evidence(
                Mount.PATH + " " + mount.point(),
                "mounted %s, now %s"
                    .formatted(
                        String.join(",", mount.options()), String.join(",", mount.superOptions())))
            .evidence("device", mount.source());
    String device = mount.source().substring(mount.source().lastIndexOf('/') + 1);
    for (KernelEvent event : events) {
      if (event.device().equals(device)) {
        draft.evidence("kernel log", event.line()).since(event.first());
      }
    }
  }
}
