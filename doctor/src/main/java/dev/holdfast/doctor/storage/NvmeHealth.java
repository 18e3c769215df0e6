package dev.holdfast.doctor.storage;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.kernel.KernelStory;
import java.util.List;
import java.util.Optional;

/** Whether every NVMe controller serves. The SMART log needs root and a tool; sysfs does not. */
public final class NvmeHealth implements Check {
  private static final String ROOT = "/sys/class/nvme";
  private static final int MAX_CONTROLLERS = 256;

  private static final CheckInfo INFO =
      CheckInfo.of(
              "storage.nvme.health",
              "Do all NVMe drives work?",
              FaultClass.STORAGE,
              Proof.DOCUMENTED)
          .reads(ROOT + "/nvme*/state", ROOT + "/nvme*/hwmon*/temp1_alarm", "kernel-log")
          .meaning(
              "Local scratch, dataset cache and checkpoints live there; a dead drive takes a striped"
                  + " array with it.")
          .remedy(
              "nvme smart-log /dev/DRIVE; power-cycle the node, replace the drive if it stays so");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<String> controllers =
        exam.node().list(ROOT).stream()
            .filter(name -> name.matches("nvme[0-9]{1,4}"))
            .limit(MAX_CONTROLLERS)
            .toList();
    int live = 0;
    for (String controller : controllers) {
      Optional<String> state = exam.node().text(ROOT + "/" + controller + "/state");
      if (state.isPresent() && !state.get().equals("live")) {
        exam.draft(
                exam.here().part("disk", controller),
                state.get().equals("dead") ? Severity.FATAL : Severity.DEGRADED,
                "NVMe drive " + controller + " is " + state.get())
            .evidence(ROOT + "/" + controller + "/state", state.get())
            .evidence(
                ROOT + "/" + controller + "/model",
                exam.node().text(ROOT + "/" + controller + "/model").orElse("unknown"))
            .remedy(INFO.remedy().replace("DRIVE", controller));
      } else if (state.isPresent() && !tooHot(exam, controller)) {
        live++;
      }
    }
    new KernelStory(exam).about("disk").tell(exam.kernel().known("nvme.disabled", "nvme.path"));
    if (live > 0) {
      exam.pass(live + " of " + controllers.size() + " drives live");
    }
  }

  private static boolean tooHot(Examination exam, String controller) {
    String folder = ROOT + "/" + controller;
    for (String name : exam.node().list(folder)) {
      String alarm = folder + "/" + name + "/temp1_alarm";
      if (name.startsWith("hwmon") && exam.node().number(alarm).orElse(0) == 1) {
        long degrees = exam.node().number(folder + "/" + name + "/temp1_input").orElse(0) / 1000;
        exam.degraded(
                exam.here().part("disk", controller),
                "NVMe drive %s is too hot (%d °C)".formatted(controller, degrees))
            .evidence(alarm, 1)
            .meaning("A drive above its limit slows itself down, then stops.")
            .remedy("Check airflow over the drives and the inlet temperature");
        return true;
      }
    }
    return false;
  }
}
