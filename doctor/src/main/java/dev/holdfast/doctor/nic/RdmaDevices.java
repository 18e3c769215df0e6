package dev.holdfast.doctor.nic;

import dev.holdfast.core.health.Subject;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Which RDMA ports has the node, and which of them belong together? */
public final class RdmaDevices {
  /** The one reason every check gives on a node without RDMA. */
  public static final String NONE = "no RDMA device on the node";

  private static final String CLASS = "/sys/class/infiniband";
  private static final int MAX_PORTS = 512;

  private RdmaDevices() {}

  public static List<RdmaPort> ports(NodeView node) {
    List<RdmaPort> ports = new ArrayList<>();
    for (String device : node.list(CLASS).stream().sorted(Subject.NATURAL).toList()) {
      for (String port : node.list(CLASS + "/" + device + "/ports")) {
        if (ports.size() < MAX_PORTS && port.length() < 4 && port.chars().allMatch(c -> c < 58)) {
          number(port).ifPresent(number -> ports.add(new RdmaPort(node, device, number)));
        }
      }
    }
    return ports;
  }

  private static Optional<Integer> number(String digits) {
    try {
      return Optional.of(Integer.parseInt(digits));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** The ports, or the check is skipped. */
  public static List<RdmaPort> require(NodeView node) {
    List<RdmaPort> ports = ports(node);
    if (ports.isEmpty()) {
      throw new Unavailable(NONE);
    }
    return ports;
  }

  /** The ports whose link is up, or the check is skipped. */
  public static List<RdmaPort> requireActive(NodeView node) {
    List<RdmaPort> ports = require(node).stream().filter(RdmaPort::active).toList();
    if (ports.isEmpty()) {
      throw new Unavailable("no RDMA port is active");
    }
    return ports;
  }

  /** The RoCE ports whose link is up, or the check is skipped. */
  public static List<RdmaPort> requireEthernet(NodeView node) {
    List<RdmaPort> ports =
        require(node).stream().filter(RdmaPort::ethernet).filter(RdmaPort::active).toList();
    if (ports.isEmpty()) {
      throw new Unavailable("no active RoCE port on the node");
    }
    return ports;
  }

  /** Ports that ought to be alike, in a stable order. */
  public static Collection<List<RdmaPort>> kinds(List<RdmaPort> ports) {
    Map<String, List<RdmaPort>> kinds = new TreeMap<>();
    for (RdmaPort port : ports) {
      kinds.computeIfAbsent(port.kind(), _ -> new ArrayList<>()).add(port);
    }
    return kinds.values();
  }

  /** What more than half of the ports say; empty when there is no such majority. */
  public static <T> Optional<T> majority(List<RdmaPort> ports, Function<RdmaPort, T> question) {
    Map<T, Integer> votes = new java.util.HashMap<>();
    for (RdmaPort port : ports) {
      votes.merge(question.apply(port), 1, Integer::sum);
    }
    return votes.entrySet().stream()
        .filter(vote -> vote.getValue() * 2 > ports.size())
        .map(Map.Entry::getKey)
        .findFirst();
  }
}
