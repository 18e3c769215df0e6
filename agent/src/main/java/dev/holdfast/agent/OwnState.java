package dev.holdfast.agent;

import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Is the agent itself able to see? A check that does not come back, a kernel log that cannot be
 * followed and a disk that takes nothing are findings like any other: who watches must say where it
 * is blind.
 */
final class OwnState {
  static final String STUCK = "agent.check.stuck";
  static final String KERNEL = "agent.kernel.log";
  static final String MEMORY = "agent.memory";

  private final Subject.Node node;
  private final Path folder;
  private volatile String kernelTrouble = "";

  OwnState(String node, Path folder) {
    this.node = new Subject.Node(node);
    this.folder = folder;
  }

  /** The kernel log is not followed, and this is why; it stays so until the agent starts again. */
  void kernelLog(String why) {
    kernelTrouble = why;
  }

  /** What is wrong with us, by check; a check with no finding is well. */
  Map<String, List<Finding>> look(Map<String, Duration> stuck, String memoryTrouble, String lost) {
    Map<String, List<Finding>> all = new LinkedHashMap<>();
    List<Finding> hanging = new ArrayList<>();
    stuck.forEach(
        (check, time) ->
            hanging.add(
                finding(
                    STUCK,
                    node.part("check", check),
                    Severity.DEGRADED,
                    "the check " + check + " does not come back",
                    new Evidence("runs for seconds", Long.toString(time.toSeconds())),
                    "What it reads hangs in the kernel: a dead mount, a device that is going away.",
                    "Find what hangs: ps -eo pid,stat,wchan:32,cmd | grep ' D'; reboot if it"
                        + " cannot be freed")));
    all.put(STUCK, hanging);
    all.put(
        KERNEL,
        kernelTrouble.isEmpty()
            ? List.of()
            : List.of(
                finding(
                    KERNEL,
                    node,
                    Severity.WARNING,
                    "the agent does not follow the kernel log",
                    new Evidence("kernel log", kernelTrouble),
                    "Xids, machine checks and lockups of this node are not told.",
                    "Give the agent CAP_SYSLOG and /dev/kmsg (see the shipped systemd unit)")));
    all.put(
        MEMORY,
        memoryTrouble.isEmpty() && lost.isEmpty()
            ? List.of()
            : List.of(
                finding(
                    MEMORY,
                    node,
                    Severity.WARNING,
                    memoryTrouble.isEmpty()
                        ? "reports were lost for want of room"
                        : "the agent cannot write its state",
                    new Evidence(folder.toString(), memoryTrouble.isEmpty() ? lost : memoryTrouble),
                    "What the agent knows would not survive its restart, or was not told.",
                    "Make room on the disk of " + folder + ", and bring the control plane back")));
    return all;
  }

  private static Finding finding(
      String check,
      Subject subject,
      Severity severity,
      String summary,
      Evidence evidence,
      String meaning,
      String remedy) {
    return new Finding(
        check,
        subject,
        Finding.Kind.CONDITION,
        severity,
        FaultClass.SOFTWARE,
        Proof.HARDWARE,
        summary,
        Optional.empty(),
        List.of(evidence),
        meaning,
        remedy);
  }
}
