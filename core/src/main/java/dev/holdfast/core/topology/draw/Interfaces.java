package dev.holdfast.core.topology.draw;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.PartKind;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The devices to show: those of the topology, and the network interfaces that are no RDMA adapter,
 * which no rank is given but which a person looks for.
 */
final class Interfaces {
  /** More devices than any machine has; a picture of more would help nobody. */
  static final int MOST = 512;

  private final Topology machine;
  private final Set<String> known = new HashSet<>();
  private final List<Device> plain = new ArrayList<>();
  private final Deque<Part> bridges = new ArrayDeque<>();

  private Interfaces(Topology machine) {
    this.machine = machine;
    machine.devices().forEach(device -> known.add(device.pci()));
  }

  static List<Device> withPlainOnes(Topology machine) {
    Interfaces interfaces = new Interfaces(machine);
    interfaces.walk(machine.root());
    List<Device> all = new ArrayList<>(machine.devices());
    all.addAll(interfaces.plain);
    all.sort(Comparator.comparing(Device::kind));
    return all;
  }

  private void walk(Part part) {
    part.children().forEach(this::walk);
    part.io().forEach(this::walkIo);
  }

  private void walkIo(Part part) {
    if (part.kind() == PartKind.BRIDGE) {
      bridges.addLast(part);
      part.io().forEach(this::walkIo);
      bridges.removeLast();
    } else if (part.kind() == PartKind.PCI_DEVICE) {
      String address = part.fact(Part.PCI_ADDRESS).orElse("");
      part.io().stream()
          .filter(inner -> inner.subtype().equals("Network") && !inner.name().isBlank())
          .filter(_ -> plain.size() < MOST && (address.isEmpty() || known.add(address)))
          .forEach(inner -> plain.add(device(inner, address, part)));
    }
  }

  private Device device(Part inner, String address, Part function) {
    return new Device(
        Device.Kind.OTHER,
        inner.name(),
        inner.name(),
        address,
        function.fact(Part.PCI_VENDOR).orElse(""),
        machine.holder(inner),
        List.copyOf(bridges),
        inner);
  }
}
