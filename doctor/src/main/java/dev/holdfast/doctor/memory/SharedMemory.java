package dev.holdfast.doctor.memory;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.storage.FileSystem;
import dev.holdfast.doctor.system.Identity;
import java.util.Optional;

/** Whether {@code /dev/shm} is large enough for data loaders and NCCL. */
public final class SharedMemory implements Check {
  private static final String POINT = "/dev/shm";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "memory.sharedmemory",
              "Is /dev/shm large enough for data loaders and NCCL?",
              FaultClass.CONFIGURATION,
              Proof.HARDWARE)
          .reads("filesystems " + POINT, MemoryInfo.PATH + " MemTotal")
          .meaning(
              "PyTorch's data-loader workers hand batches over in /dev/shm and NCCL puts its buffers"
                  + " there: when it is full a worker dies with a bus error, or NCCL fails to start.")
          .remedy("mount -o remount,size=50% /dev/shm")
          .limit(
              "least",
              1024,
              "MiB",
              "own choice; PyTorch documents --ipc=host or a larger --shm-size")
          .limit("container", 64, "MiB", "Docker's default --shm-size")
          .limit("used", 90, "%", "own choice");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Optional<FileSystem> found = FileSystem.at(exam.node(), POINT);
    if (found.isEmpty()) {
      exam.skip("no file system is mounted at " + POINT);
      return;
    }
    FileSystem shared = found.get();
    if (!shared.answered()) {
      exam.skip(POINT + ": " + shared.state());
      return;
    }
    String remedy = Identity.of(exam.node()).container() ? inContainer() : INFO.remedy();
    Bytes size = Bytes.of(shared.size());
    Bytes memory = MemoryInfo.of(exam.node()).require("MemTotal");
    boolean small =
        size.compareTo(Bytes.mebibytes((long) exam.limit("least"))) < 0
            && size.count() < memory.count() * 0.4;
    if (small) {
      boolean tiny = size.compareTo(Bytes.mebibytes((long) exam.limit("container"))) <= 0;
      String summary = POINT + " holds only " + size;
      (tiny ? exam.degraded(exam.here(), summary) : exam.warning(exam.here(), summary))
          .evidence("statvfs " + POINT, size)
          .remedy(remedy);
    } else if (shared.usedPercent() > exam.limit("used")) {
      exam.degraded(exam.here(), "%s is %d %% full".formatted(POINT, shared.usedPercent()))
          .evidence("statvfs " + POINT, shared.free() + " bytes of " + shared.size() + " free")
          .remedy("ls -laS /dev/shm: remove what earlier jobs left behind (rm /dev/shm/NAME)");
    } else {
      exam.pass(size + ", " + shared.usedPercent() + " % used");
    }
  }

  private static String inContainer() {
    return "Start the container with --ipc=host or --shm-size=16g; in Kubernetes mount an emptyDir"
        + " with medium: Memory at /dev/shm";
  }
}
