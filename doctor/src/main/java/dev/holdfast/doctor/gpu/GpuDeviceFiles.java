package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.List;

/** The files in /dev through which programs reach the NVIDIA driver. */
public final class GpuDeviceFiles implements Check {
  private static final String MODULE = "/sys/module/nvidia/version";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.device.files",
              "Are the device files of the NVIDIA driver there?",
              FaultClass.CONFIGURATION,
              Proof.RECORDED)
          .reads("/dev", MODULE)
          .meaning(
              "CUDA opens /dev/nvidiactl, /dev/nvidia-uvm and one file per GPU; when one is missing"
                  + " an unprivileged job ends with 'no CUDA-capable device' or error 999.")
          .remedy(
              "sudo nvidia-modprobe -c 0 -u; in a container give it the devices (--gpus all, or the"
                  + " device plugin)");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    exam.accelerators().requireHardware();
    List<String> files = exam.node().list("/dev");
    if (files.isEmpty() || exam.node().text(MODULE).isEmpty()) {
      return;
    }
    long devices = files.stream().filter(name -> name.matches("nvidia\\d+")).count();
    boolean control = files.contains("nvidiactl");
    if (devices == 0 && !control) {
      exam.skip("no device file of the NVIDIA driver here: none was given to this environment");
      return;
    }
    String missing =
        !control
            ? "/dev/nvidiactl"
            : devices == 0 ? "/dev/nvidia0" : files.contains("nvidia-uvm") ? "" : "/dev/nvidia-uvm";
    if (missing.isEmpty()) {
      exam.pass(devices + " devices, control and unified memory");
    } else {
      exam.warning(exam.here(), missing + " is missing")
          .evidence(
              "/dev", devices + " files nvidiaN, nvidiactl " + (control ? "there" : "missing"));
    }
  }
}
