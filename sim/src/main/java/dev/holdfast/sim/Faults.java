package dev.holdfast.sim;

import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import java.util.List;
import java.util.Optional;

/** What can go wrong with a simulated node, in the words its agent would use. */
final class Faults {
  private Faults() {}

  static Finding lostGpu(String node, int gpu) {
    return finding(
        "gpu.reachable",
        new Subject.Node(node).gpu(gpu),
        Severity.FATAL,
        FaultClass.HARDWARE,
        "GPU " + gpu + " does not answer any more",
        "nvml: GPU is lost",
        "The ranks that use it cannot go on, and the others wait for them.",
        "Restart the node; if the GPU is lost again, have it replaced.");
  }

  static Finding eccRate(String node, int gpu) {
    return finding(
        "gpu.ecc.corrected",
        new Subject.Node(node).gpu(gpu),
        Severity.DEGRADED,
        FaultClass.HARDWARE,
        "GPU " + gpu + " corrects 4,800 memory errors a minute",
        "nvml: corrected volatile +24,000 in 5 min",
        "Correcting costs bandwidth now and often ends in errors that cannot be corrected.",
        "Drain the node after its job and run a memory test.");
  }

  static Finding linkDown(String node, int rail) {
    return finding(
        "nic.state",
        new Subject.Node(node).nic("mlx5_" + rail, 1),
        Severity.FATAL,
        FaultClass.NETWORK,
        "mlx5_" + rail + " port 1 is down",
        "/sys/class/infiniband/mlx5_" + rail + "/ports/1/state: 1: DOWN",
        "Collectives over that rail stop or fall back to slower ones.",
        "Look at cable and switch port of that rail.");
  }

  static Finding slowStorage(String node) {
    return finding(
        "storage.mount.responsive",
        new Subject.Node(node).part("mount", "scratch"),
        Severity.DEGRADED,
        FaultClass.STORAGE,
        "/scratch took 14 s to answer",
        "stat /scratch: 14.2 s",
        "Checkpoints and data loading wait for it.",
        "Look at the file system's servers.");
  }

  private static Finding finding(
      String check,
      Subject subject,
      Severity severity,
      FaultClass faultClass,
      String summary,
      String evidence,
      String meaning,
      String remedy) {
    return new Finding(
        check,
        subject,
        Finding.Kind.CONDITION,
        severity,
        faultClass,
        Proof.RECORDED,
        summary,
        Optional.empty(),
        List.of(new Evidence("simulated", evidence)),
        meaning,
        remedy);
  }
}
