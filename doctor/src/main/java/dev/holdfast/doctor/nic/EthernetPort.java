package dev.holdfast.doctor.nic;

import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import dev.holdfast.os.file.Reading;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A RoCE port together with the statistics its driver keeps for the network interface, as {@code
 * ethtool -S} prints them: {@code name: value} a line.
 */
record EthernetPort(RdmaPort port, String netDevice, Map<String, Long> statistics) {
  private static final int MAX_ROWS = 20_000;

  EthernetPort {
    statistics = Collections.unmodifiableMap(statistics);
  }

  /**
   * The active RoCE ports whose statistics can be read, or the check is skipped with the reason.
   */
  static List<EthernetPort> require(NodeView node) {
    List<EthernetPort> ports = new ArrayList<>();
    String why = "no RoCE port has a network interface here";
    for (RdmaPort port : RdmaDevices.requireEthernet(node)) {
      String netDevice = port.netDevice().orElse("");
      if (!netDevice.isEmpty()) {
        Reading reading = node.probe("ethtool-statistics/" + netDevice);
        why = reading.why();
        reading.text().ifPresent(text -> ports.add(new EthernetPort(port, netDevice, parse(text))));
      }
    }
    if (ports.isEmpty()) {
      throw new Unavailable(why);
    }
    return ports;
  }

  static Map<String, Long> parse(String text) {
    Map<String, Long> values = new TreeMap<>();
    for (String row : text.split("\n")) {
      int colon = row.lastIndexOf(':');
      if (colon > 0 && values.size() < MAX_ROWS) {
        try {
          values.put(
              row.substring(0, colon).strip(), Long.parseLong(row.substring(colon + 1).strip()));
        } catch (NumberFormatException e) {
          // A heading, or a number no counter of ours has.
        }
      }
    }
    return values;
  }

  OptionalLong value(String name) {
    Long value = statistics.get(name);
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /** Where a statistic was read, for evidence. */
  String source(String name) {
    return "ethtool -S " + netDevice + " " + name;
  }

  String key(String name) {
    return CounterWatch.key(port, name);
  }
}
