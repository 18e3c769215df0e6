package dev.holdfast.agent.watch;

import dev.holdfast.core.cluster.DeviceDescription;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.health.Subject;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.nic.RdmaDevices;
import dev.holdfast.doctor.nic.RdmaPort;
import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the node is: its devices, where each hangs on the bus, and the software below them. */
public final class Description {
  private Description() {}

  /**
   * @param place what the site says it shares with others: rack, leaf, power
   */
  public static NodeDescription of(NodeView node, String agent, SortedMap<String, String> place) {
    List<DeviceDescription> devices = new ArrayList<>();
    for (Accelerator device : new Accelerators(node).all()) {
      String name = name(device.subject());
      String product = device.text("name").orElse("");
      String above = pciSwitch(node, device.text("pci.address"));
      devices.add(new DeviceDescription(kind(device.subject()), name, product, above, ""));
    }
    for (RdmaPort port : RdmaDevices.ports(node)) {
      String above = pciSwitch(node, port.pciAddress());
      devices.add(new DeviceDescription("nic", name(port.subject()), port.model(), above, ""));
    }
    TreeMap<String, String> versions = new TreeMap<>();
    Map.of(
            "kernel", "/proc/sys/kernel/osrelease",
            "driver", "/sys/module/nvidia/version",
            "rdma", "/sys/module/mlx5_core/version")
        .forEach((key, file) -> node.text(file).ifPresent(text -> versions.put(key, text)));
    return new NodeDescription(node.name(), agent, place, versions, devices);
  }

  private static String kind(Subject subject) {
    return subject instanceof Subject.Part part ? part.kind() : "node";
  }

  private static String name(Subject subject) {
    return subject instanceof Subject.Part part
        ? String.join("/", part.path().subList(1, part.path().size()))
        : subject.toString();
  }

  /** The upstream port of the switch a device hangs on; empty when it hangs on a root port. */
  private static String pciSwitch(NodeView node, Optional<String> address) {
    String target = address.flatMap(at -> node.link("/sys/bus/pci/devices/" + at)).orElse("");
    int bus = target.indexOf("/pci");
    List<String> way = List.of((bus < 0 ? "" : target.substring(bus + 1)).split("/"));
    // pci0000:00, root port, upstream port, downstream port, device
    return way.size() >= 5 ? way.get(way.size() - 3) : "";
  }
}
