package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which kind of pause each RoCE port uses, and whether all rails use the same.
 *
 * <p>The driver shows pause counters only for what is switched on: {@code rx_prio3_pause} when
 * priority flow control holds for priority 3, {@code rx_global_pause} for link-wide pause. A fabric
 * without either (lossy RoCE) is a choice, not a fault; a rail unlike the others is one.
 */
public final class NicFlowControlSettings implements Check {
  private static final CheckInfo INFO =
      CheckInfo.of(
              "nic.flowcontrol.settings",
              "Is flow control the same on all RoCE rails, and on one lossless priority?",
              FaultClass.CONFIGURATION,
              Proof.DOCUMENTED)
          .reads("probe ethtool-statistics/INTERFACE (which pause counters exist)")
          .meaning(
              "A rail whose flow control differs from its switch and its siblings drops packets"
                  + " where they only wait; two lossless priorities share the buffer meant for one.")
          .remedy(
              "Set the same on every rail and on the switch: mlnx_qos -i INTERFACE --pfc"
                  + " 0,0,0,1,0,0,0,0 (dcb pfc set dev INTERFACE prio-pfc 3:on)");

  private static final int ALL_PRIORITIES = 8;

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Map<String, List<EthernetPort>> kinds = new TreeMap<>();
    for (EthernetPort port : EthernetPort.require(exam.node())) {
      kinds.computeIfAbsent(port.port().model(), _ -> new ArrayList<>()).add(port);
    }
    kinds.values().forEach(ports -> judge(exam, ports));
  }

  private static void judge(Examination exam, List<EthernetPort> ports) {
    Map<String, List<EthernetPort>> settings = new TreeMap<>();
    for (EthernetPort port : ports) {
      settings.computeIfAbsent(words(port), _ -> new ArrayList<>()).add(port);
    }
    Optional<Map.Entry<String, List<EthernetPort>>> usual =
        settings.entrySet().stream()
            .filter(entry -> entry.getValue().size() * 2 > ports.size())
            .findFirst();
    settings.forEach(
        (setting, those) -> {
          boolean odd = usual.isPresent() && !usual.get().getKey().equals(setting);
          for (EthernetPort port : odd && ports.size() >= 3 ? those : List.<EthernetPort>of()) {
            exam.degraded(
                    port.port().subject(),
                    "flow control: %s, while most rails have: %s"
                        .formatted(setting, usual.get().getKey()))
                .evidence("ethtool -S " + port.netDevice() + " pause counters", setting)
                .evidence("most rails", usual.get().getKey())
                .remedy(
                    "Set it as on the other rails: mlnx_qos -i %s; compare with mlnx_qos -i %s"
                        .formatted(
                            port.netDevice(), usual.get().getValue().getFirst().netDevice()));
          }
        });
    String setting = usual.map(Map.Entry::getKey).orElse("");
    if (setting.indexOf(',') > 0) {
      EthernetPort port = ports.getFirst();
      exam.warning(exam.here(), "more than one lossless priority on the RoCE ports: " + setting)
          .evidence("ethtool -S " + port.netDevice() + " pause counters", setting);
    } else if (!setting.isEmpty()) {
      exam.pass(ports.getFirst().port().model() + ": " + setting);
    } else {
      exam.pass("each port has its own: " + settings.keySet());
    }
  }

  /** {@code priority 3}, {@code link-wide pause}, {@code none}, or what the driver leaves open. */
  static String words(EthernetPort port) {
    TreeSet<String> priorities = new TreeSet<>();
    for (String name : port.statistics().keySet()) {
      if (name.startsWith("rx_prio") && name.endsWith("_pause") && name.length() == 14) {
        priorities.add(name.substring(7, 8));
      }
    }
    if (priorities.size() == ALL_PRIORITIES) {
      return "not told by this driver";
    }
    if (!priorities.isEmpty()) {
      return "priority " + String.join(", ", priorities);
    }
    return port.value("rx_global_pause").isPresent() ? "link-wide pause" : "none";
  }
}
