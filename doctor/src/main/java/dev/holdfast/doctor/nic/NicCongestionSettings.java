package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether congestion control (DCQCN, ECN) is set alike on all RoCE rails. Values are reported, not
 * judged by defaults: those changed over the years and with the firmware.
 */
public final class NicCongestionSettings implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.congestion.settings",
              "Is congestion control set alike on all RoCE rails?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .needs(Needs.READ_ALL)
          .reads("/sys/kernel/debug/mlx5/*/cc_params/*", "/sys/class/net/*/ecn/roce_*/enable/*")
          .meaning(
              "A rail that answers congestion marks differently takes more, or gives up more, of a"
                  + " shared link than its siblings; the collective runs at the pace of the loser.")
          .remedy("Set it as on the other rails, in the same boot script for all of them");

  private static final int MAX_SETTINGS = 128;

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    for (List<RdmaPort> kind : RdmaDevices.kinds(RdmaDevices.requireEthernet(exam.node()))) {
      Map<RdmaPort, Map<String, String>> settings = new java.util.LinkedHashMap<>();
      for (RdmaPort port : kind) {
        Map<String, String> found = settings(port);
        if (found.isEmpty()) {
          exam.skip(
              "congestion control settings are not visible (debugfs needs root; or the driver has"
                  + " none)");
        } else {
          settings.put(port, found);
        }
      }
      if (!settings.isEmpty()) {
        judge(exam, settings);
      }
    }
  }

  private static void judge(Examination exam, Map<RdmaPort, Map<String, String>> settings) {
    List<RdmaPort> ports = List.copyOf(settings.keySet());
    int odd = 0;
    for (Map.Entry<RdmaPort, Map<String, String>> entry : settings.entrySet()) {
      for (Map.Entry<String, String> setting : entry.getValue().entrySet()) {
        String name = setting.getKey();
        String usual =
            RdmaDevices.majority(
                    ports, port -> settings.getOrDefault(port, Map.of()).getOrDefault(name, ""))
                .orElse(setting.getValue());
        if (ports.size() >= 3 && !usual.isEmpty() && !usual.equals(setting.getValue())) {
          odd++;
          exam.warning(
                  entry.getKey().subject(),
                  "%s is %s; most rails have %s".formatted(name, setting.getValue(), usual))
              .evidence(path(entry.getKey(), name), setting.getValue())
              .evidence("most rails", usual)
              .remedy("echo %s > %s".formatted(usual, path(entry.getKey(), name)));
        }
      }
    }
    if (odd == 0) {
      exam.pass(
          "%d settings alike on %d ports"
              .formatted(settings.getOrDefault(ports.getFirst(), Map.of()).size(), ports.size()));
    }
  }

  /** Name below its folder to value: {@code cc_params/rp_ai_rate}, {@code ecn/roce_np/enable/3}. */
  private static Map<String, String> settings(RdmaPort port) {
    Map<String, String> found = new TreeMap<>();
    note(port, "cc_params", found);
    note(port, "ecn/roce_np/enable", found);
    note(port, "ecn/roce_rp/enable", found);
    return found;
  }

  private static void note(RdmaPort port, String folder, Map<String, String> found) {
    for (String file : port.node().list(path(port, folder))) {
      if (found.size() < MAX_SETTINGS) {
        String name = folder + "/" + file;
        port.node().text(path(port, name)).ifPresent(value -> found.put(name, value));
      }
    }
  }

  private static String path(RdmaPort port, String name) {
    return name.startsWith("cc_params")
        ? "/sys/kernel/debug/mlx5/" + port.pciAddress().orElse("none") + "/" + name
        : "/sys/class/net/" + port.netDevice().orElse("none") + "/" + name;
  }
}
