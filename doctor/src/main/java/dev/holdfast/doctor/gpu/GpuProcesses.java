package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.accelerator.PartialView;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.Unavailable;

/**
 * Memory of an accelerator that nobody living holds: left behind by a job that was killed. A
 * running job is normal, so memory with a living process is never told.
 */
public final class GpuProcesses implements Check {
  private static final String USED = "memory.used.bytes";
  private static final String COUNT = "processes";
  private static final int MOST_PROCESSES = 64;

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.processes.leftover",
              "Is accelerator memory held by nobody, or by a dead process?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads("nvml memory.used.bytes", "nvml process.*.pid", "/proc/PID/stat")
          .meaning("The next job finds less memory than it planned for and dies at its first step.")
          .remedy("sudo fuser -v /dev/nvidia* names who has the devices open; end it, else reset")
          .limit("used", 512, "MiB", "GCM allows 15 MiB; drivers keep some hundred for themselves");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    exam.accelerators().require();
    PartialView.reason(exam.node())
        .ifPresent(
            why -> {
              throw new Unavailable(why);
            });
    Survey.of(exam, "nothing left behind", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    long used = device.number(USED).orElse(-1);
    long processes = device.number(COUNT).orElse(-1);
    if (used < 0 || processes < 0 || !device.dataCentre()) {
      return Survey.Answer.UNKNOWN;
    }
    for (int i = 0; i < Math.min(processes, MOST_PROCESSES); i++) {
      String pid = device.text("process." + i + ".pid").orElse("0");
      String state = exam.node().text("/proc/" + pid + "/stat").orElse("");
      if (state.contains(") Z ")) {
        exam.draft(device, Severity.WARNING, "process %s is dead and still holds it".formatted(pid))
            .evidence("/proc/" + pid + "/stat", "state Z (zombie)")
            .evidence(device.source(USED), Bytes.of(used));
        return Survey.Answer.TOLD;
      }
    }
    boolean partitioned = device.text("mig.mode").orElse("").equals("enabled");
    if (processes == 0 && !partitioned && used > exam.limit("used") * (1 << 20)) {
      exam.draft(
              device,
              Severity.WARNING,
              "%s of its memory are in use, and no process runs on it".formatted(Bytes.of(used)))
          .evidence(device.source(USED), Bytes.of(used))
          .evidence(device.source(COUNT), processes)
          .remedy(
              "sudo fuser -v /dev/nvidia%d; end what it names, else drain the node and: %s"
                  .formatted(device.number("minor").orElse(device.index()), Remedy.reset(device)));
      return Survey.Answer.TOLD;
    }
    return Survey.Answer.GOOD;
  }
}
