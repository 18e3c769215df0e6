package dev.holdfast.doctor.contract;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;

/** Whether data loaders and NCCL find room in /dev/shm. Containers get 64 MiB unless told. */
final class SharedMemory implements Check {
  private final CheckInfo info;

  SharedMemory(Platform platform) {
    this.info =
        CheckInfo.of(
                platform.check("shm"),
                "Is /dev/shm large enough for data loaders and NCCL?",
                FaultClass.CONFIGURATION,
                Proof.DOCUMENTED)
            .reads("filesystems /dev/shm")
            .meaning(
                "Data loader workers end with a bus error, NCCL with \"no space left on device\","
                    + " once the 64 MiB a container gets by default are full.")
            .remedy(
                "Kubernetes: an emptyDir with medium: Memory mounted at /dev/shm; docker run"
                    + " --shm-size=16g")
            .limit("least", 1024, "MiB", "PyTorch issues on DataLoader bus errors");
  }

  @Override
  public CheckInfo info() {
    return info;
  }

  @Override
  public void run(Examination exam) {
    for (String line : exam.node().requireProbe("filesystems").split("\n")) {
      String[] fields = line.split("\t");
      if (fields.length >= 5 && fields[0].equals("/dev/shm") && fields[4].matches("\\d{1,18}")) {
        Bytes size = Bytes.of(Long.parseLong(fields[4]));
        if (size.compareTo(Bytes.mebibytes((long) exam.limit("least"))) < 0) {
          exam.warning(exam.here(), "/dev/shm holds only " + size)
              .evidence("filesystems /dev/shm", size);
        } else {
          exam.pass("/dev/shm holds " + size);
        }
        return;
      }
    }
  }
}
