package dev.holdfast.browser;

import dev.holdfast.core.health.Accept;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.policy.Guard;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.Rule;
import dev.holdfast.core.policy.Rung;
import dev.holdfast.core.policy.When;
import dev.holdfast.core.report.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Faults as agents tell them, and a policy that treats each kind another way. */
final class Faults {
  private Faults() {}

  static Statement lostGpu(String node, int gpu) {
    return raised(
        "gpu.reachable",
        new Subject.Node(node).gpu(gpu),
        Finding.Kind.CONDITION,
        Severity.FATAL,
        FaultClass.HARDWARE,
        "GPU " + gpu + " of " + node + " has fallen off the bus",
        List.of(
            new Evidence("kernel log", "NVRM: Xid (PCI:0000:4d:00): 79, GPU has fallen off"),
            new Evidence("nvidia-smi", "Unable to determine the device handle: GPU is lost")),
        "Every rank of the job waits for this one until it is restarted without it.",
        "Take the node out, power-cycle it, run: holdfast doctor --check gpu.reachable");
  }

  static Statement memoryError(String node, int gpu) {
    return raised(
        "gpu.ecc.uncorrected",
        new Subject.Node(node).gpu(gpu),
        Finding.Kind.EVENT,
        Severity.DEGRADED,
        FaultClass.HARDWARE,
        "GPU " + gpu + " of " + node + " had an uncorrectable memory error",
        List.of(
            new Evidence("kernel log", "NVRM: Xid (PCI:0000:4d:00): 63, row remapper: new row"),
            new Evidence("remapped rows", "3, 1 of them pending")),
        "The process on this GPU was ended; the row is replaced at the next reset.",
        "Reset the GPU once no job uses it.");
  }

  static Statement linkDown(String node, int nic) {
    return raised(
        "nic.state",
        new Subject.Node(node).nic("mlx5_" + nic, 1),
        Finding.Kind.CONDITION,
        Severity.DEGRADED,
        FaultClass.NETWORK,
        "Port mlx5_" + nic + "/1 of " + node + " is down",
        List.of(
            new Evidence("/sys/class/infiniband/mlx5_" + nic + "/ports/1/state", "1: DOWN"),
            new Evidence("link downed", "4 since boot")),
        "Collectives of this rail go another way and are slower, or stop.",
        "Reseat or replace the cable; look at the switch port.");
  }

  static Statement hot(String node, int gpu) {
    return raised(
        "gpu.temperature",
        new Subject.Node(node).gpu(gpu),
        Finding.Kind.CONDITION,
        Severity.WARNING,
        FaultClass.HARDWARE,
        "GPU " + gpu + " of " + node + " is at 88 °C, 3 °C below where it slows down",
        List.of(new Evidence("NVML temperature", "88 °C"), new Evidence("slowdown at", "91 °C")),
        "It slows down soon, and the whole job with it.",
        "Look at fans and air flow of the rack.");
  }

  /** Of a part that no description of a node has. */
  static Statement slowMount(String node) {
    return raised(
        "storage.mount.responsive",
        new Subject.Node(node).part("mount", "scratch"),
        Finding.Kind.CONDITION,
        Severity.WARNING,
        FaultClass.STORAGE,
        "/scratch of " + node + " took 14 s to answer",
        List.of(new Evidence("stat /scratch", "14.2 s")),
        "Checkpoints and data loading wait for it.",
        "Look at the servers of the file system.");
  }

  static Statement cleared(String check, Subject subject) {
    return new Statement.Cleared(check, subject, "looked again: passes");
  }

  private static Statement raised(
      String check,
      Subject subject,
      Finding.Kind kind,
      Severity severity,
      FaultClass faultClass,
      String summary,
      List<Evidence> evidence,
      String meaning,
      String remedy) {
    return new Statement.Raised(
        new Finding(
            check,
            subject,
            kind,
            severity,
            faultClass,
            Proof.RECORDED,
            summary,
            Optional.empty(),
            evidence,
            meaning,
            remedy),
        1);
  }

  /** Acts on lost hardware, asks about links, recommends for memory, watches the rest. */
  static Policy policy(Duration silence) {
    return new Policy(
        "demonstration",
        Accept.UNSAID,
        List.of(
            rule(
                "lost-gpu",
                "gpu.reachable",
                Rung.DRAIN_NOW,
                true,
                false,
                "A lost GPU never comes back by itself"),
            rule(
                "link-down",
                "nic.state",
                Rung.DRAIN_AT_CHECKPOINT,
                true,
                true,
                "A node with a dead rail slows down everybody, but works"),
            rule(
                "memory-error",
                "gpu.ecc.*",
                Rung.RESET_DEVICE,
                false,
                false,
                "A pending row is replaced by a reset"),
            rule(
                "hot-gpu",
                "gpu.temperature",
                Rung.WATCH,
                true,
                false,
                "Heat is worth a look before it costs speed")),
        new Guard(0.05, 64, 4, 4, 12, Duration.ofMinutes(5)),
        List.of(),
        silence,
        3,
        Duration.ofDays(30));
  }

  private static Rule rule(
      String id, String check, Rung then, boolean enforce, boolean approval, String reason) {
    When when =
        new When(
            List.of(check),
            Set.of(),
            Severity.WARNING,
            Optional.empty(),
            Set.of(),
            When.JobState.ANY);
    return new Rule(id, when, then, enforce, approval, Duration.ZERO, Duration.ZERO, reason);
  }
}
