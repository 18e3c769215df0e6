package dev.holdfast.doctor.network;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.nic.RdmaDevices;
import dev.holdfast.doctor.nic.RdmaPort;
import dev.holdfast.doctor.node.Unavailable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Whether the variables that steer NCCL and Gloo fit this node. */
public final class NcclEnvironment implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "network.nccl.environment",
              "Do the NCCL and Gloo variables fit this node?",
              FaultClass.USER,
              Proof.HARDWARE)
          .reads("probe environment", "/sys/class/infiniband", "/sys/class/net")
          .meaning(
              "NCCL obeys these variables without a word: a name that matches no device leaves it"
                  + " without network, a switch left over from debugging takes away RDMA or GPU"
                  + " peer access, and the job is slow or does not start.")
          .remedy("unset the variable, or set it to devices of this node");

  private static final List<String> INTERFACE_NAMES =
      List.of("NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME");

  /** Switches that take away a fast path when set to 1. */
  private static final Map<String, String> LEFT_OVER =
      Map.of(
          "NCCL_IB_DISABLE", "RDMA is switched off",
          "NCCL_P2P_DISABLE", "copies between GPUs are switched off",
          "NCCL_SHM_DISABLE", "shared memory between ranks is switched off");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Map<String, String> set = new TreeMap<>();
    for (String line : exam.node().requireProbe("environment").split("\n")) {
      int equals = line.indexOf('=');
      if (equals > 0 && (line.startsWith("NCCL_") || line.startsWith("GLOO_"))) {
        set.put(line.substring(0, equals), line.substring(equals + 1).strip());
      }
    }
    if (set.isEmpty()) {
      throw new Unavailable("no NCCL or Gloo variable is set");
    }
    int before = set.size();
    for (Map.Entry<String, String> variable : set.entrySet()) {
      before -= judge(exam, variable.getKey(), variable.getValue()) ? 1 : 0;
    }
    if (before > 0) {
      exam.pass(before + " variables fit");
    }
  }

  private static boolean judge(Examination exam, String name, String value) {
    if (INTERFACE_NAMES.contains(name)) {
      return unmatched(exam, name, value, exam.node().list("/sys/class/net"));
    }
    if (name.equals("NCCL_IB_HCA")) {
      List<String> devices =
          RdmaDevices.ports(exam.node()).stream().map(RdmaPort::device).distinct().toList();
      return !devices.isEmpty() && unmatched(exam, name, value, devices);
    }
    boolean rdma = !RdmaDevices.ports(exam.node()).isEmpty();
    boolean many = exam.accelerators().all().size() > 1;
    String lost = LEFT_OVER.getOrDefault(name, "");
    if (!lost.isEmpty() && value.equals("1") && (name.equals("NCCL_IB_DISABLE") ? rdma : many)) {
      return tell(exam, Severity.DEGRADED, name, value, lost);
    }
    return name.equals("NCCL_DEBUG")
        && value.equalsIgnoreCase("TRACE")
        && tell(exam, Severity.WARNING, name, value, "every call is written to the log");
  }

  private static boolean tell(
      Examination exam, Severity severity, String name, String value, String what) {
    exam.draft(exam.here(), severity, "%s=%s: %s".formatted(name, value, what))
        .evidence("environment " + name, value)
        .remedy("unset " + name);
    return true;
  }

  private static boolean unmatched(
      Examination exam, String name, String value, List<String> devices) {
    if (value.isEmpty() || devices.isEmpty() || matches(value, devices)) {
      return false;
    }
    exam.draft(
            exam.here(),
            Severity.DEGRADED,
            "%s=%s matches none of this node's devices".formatted(name, value))
        .evidence("environment " + name, value)
        .evidence("devices", String.join(" ", devices))
        .remedy("unset %s, or choose from: %s".formatted(name, String.join(" ", devices)));
    return true;
  }

  /**
   * NCCL's way to choose: a comma-separated list of prefixes; {@code =} in front asks for exact
   * names, {@code ^} for all but these; a port may follow a colon.
   */
  static boolean matches(String value, List<String> devices) {
    boolean not = value.startsWith("^");
    String rest = not ? value.substring(1) : value;
    boolean exact = rest.startsWith("=");
    List<String> names =
        Arrays.stream((exact ? rest.substring(1) : rest).split(","))
            .map(name -> name.split(":", 2)[0].strip())
            .filter(name -> !name.isEmpty())
            .toList();
    return devices.stream()
        .anyMatch(
            device ->
                not
                    != names.stream()
                        .anyMatch(name -> exact ? device.equals(name) : device.startsWith(name)));
  }
}
