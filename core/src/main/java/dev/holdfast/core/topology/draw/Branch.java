package dev.holdfast.core.topology.draw;

import dev.holdfast.core.text.NaturalOrder;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Link;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where PCIe paths meet: a switch or a root with what hangs from it. Bridges that lead to one thing
 * only are left out, since nothing meets there. A source that tells pairs instead of bridges
 * ({@code nvidia-smi topo -m}) gets a switch for devices that are closer to each other than a
 * processor.
 *
 * @param kind what it is; a {@link Kind#DEVICE} has no branches
 * @param address the PCI address of the bridge, or empty
 * @param meet what lies between two things that meet here
 * @param device the device, for that kind only; for others the first one inside
 */
record Branch(Kind kind, String address, Link meet, Device device, List<Branch> branches) {
  /** What is at a place of the tree. */
  enum Kind {
    ROOT,
    SWITCH,
    /** Several functions of one card. */
    CARD,
    /** Known from pairs only. */
    INFERRED,
    DEVICE
  }

  /** All that hangs from one place, GPUs and what shares a switch with them first. */
  static List<Branch> of(Topology machine, List<Device> devices) {
    List<Device> bridged = devices.stream().filter(d -> !d.bridges().isEmpty()).toList();
    List<Device> bare = devices.stream().filter(d -> d.bridges().isEmpty()).toList();
    List<Branch> branches = new ArrayList<>(level(machine, bridged, 0));
    branches.addAll(clusters(machine, bare));
    return sorted(branches);
  }

  /** All devices here and below. */
  List<Device> devices() {
    return kind == Kind.DEVICE
        ? List.of(device)
        : branches.stream().flatMap(branch -> branch.devices().stream()).toList();
  }

  String label() {
    String where = address.isEmpty() ? "" : " " + Labels.shortPci(address);
    return switch (kind) {
      case ROOT -> "PCIe root" + where;
      case SWITCH -> "PCIe switch" + where;
      case CARD -> "card" + where;
      case INFERRED -> meet == Link.PIX ? "PCIe switch or card" : "PCIe switch";
      case DEVICE -> Labels.name(device);
    };
  }

  private static List<Branch> level(Topology machine, List<Device> devices, int depth) {
    List<Branch> branches = new ArrayList<>();
    Map<Part, List<Device>> below = new LinkedHashMap<>(); // a part is equal to itself only
    for (Device device : devices) {
      if (device.bridges().size() <= depth) {
        branches.add(leaf(device));
      } else {
        below.computeIfAbsent(device.bridges().get(depth), _ -> new ArrayList<>()).add(device);
      }
    }
    below.forEach(
        (bridge, inside) -> {
          List<Branch> inner = level(machine, inside, depth + 1);
          branches.add(inner.size() == 1 ? inner.getFirst() : bridge(machine, bridge, inner));
        });
    return branches;
  }

  private static Branch bridge(Topology machine, Part bridge, List<Branch> inner) {
    boolean root = bridge.fact(Part.BRIDGE).orElse("").equals("host");
    List<Branch> sorted = sorted(inner);
    String card = card(sorted.getFirst());
    if (!card.isEmpty() && sorted.stream().allMatch(branch -> card(branch).equals(card))) {
      return new Branch(Kind.CARD, card, Link.PIX, sorted.getFirst().device(), sorted);
    }
    return new Branch(
        root ? Kind.ROOT : Kind.SWITCH,
        bridge.fact(Part.PCI_ADDRESS).orElse(""),
        root ? Link.PHB : switching(machine, sorted),
        sorted.getFirst().device(),
        sorted);
  }

  /** The address of a device's card, without the function. */
  private static String card(Branch branch) {
    int dot = branch.address.lastIndexOf('.');
    return branch.kind == Kind.DEVICE && dot > 0 ? branch.address.substring(0, dot) : "";
  }

  /** What lies between things that hang from one NUMA node; of one alone nothing is said. */
  static Link meeting(Topology machine, List<Branch> branches) {
    for (int i = 0; i < branches.size(); i++) {
      for (int j = i + 1; j < branches.size(); j++) {
        Link link = beside(machine, branches.get(i), branches.get(j));
        if (link != Link.NV) {
          return link;
        }
      }
    }
    return branches.size() < 2 ? Link.UNKNOWN : Link.NODE;
  }

  /** What lies between two branches beside NVLink, where the source tells of a pair without it. */
  private static Link beside(Topology machine, Branch one, Branch other) {
    for (Device left : one.devices()) {
      for (Device right : other.devices()) {
        Link link = machine.link(left, right);
        if (link != Link.NV) {
          return link;
        }
      }
    }
    return Link.NV;
  }

  /** What the source says of the first two that are not joined by NVLink as well. */
  private static Link switching(Topology machine, List<Branch> branches) {
    Device first = branches.getFirst().device();
    return branches.stream()
        .skip(1)
        .map(other -> machine.link(first, other.device()))
        .filter(link -> link == Link.PIX || link == Link.PXB)
        .min(Comparator.naturalOrder())
        .orElse(Link.PIX);
  }

  /** Devices without bridges, together where a pair is closer than a processor. */
  private static List<Branch> clusters(Topology machine, List<Device> devices) {
    List<List<Device>> clusters = new ArrayList<>();
    for (Device device : devices) {
      List<List<Device>> near =
          clusters.stream()
              .filter(cluster -> cluster.stream().anyMatch(d -> near(machine, device, d)))
              .toList();
      List<Device> joined = new ArrayList<>();
      near.forEach(joined::addAll);
      joined.add(device);
      clusters.removeAll(near);
      clusters.add(joined);
    }
    List<Branch> branches = new ArrayList<>();
    for (List<Device> cluster : clusters) {
      List<Branch> leaves = sorted(cluster.stream().map(Branch::leaf).toList());
      branches.add(
          leaves.size() == 1
              ? leaves.getFirst()
              : new Branch(
                  Kind.INFERRED,
                  "",
                  switching(machine, leaves),
                  leaves.getFirst().device(),
                  leaves));
    }
    return branches;
  }

  private static boolean near(Topology machine, Device one, Device other) {
    Link link = machine.link(one, other);
    return link == Link.PIX || link == Link.PXB;
  }

  private static Branch leaf(Device device) {
    return new Branch(Kind.DEVICE, device.pci(), Link.SELF, device, List.of());
  }

  private static List<Branch> sorted(List<Branch> branches) {
    return branches.stream()
        .sorted(
            Comparator.comparing((Branch branch) -> branch.device().kind())
                .thenComparing(branch -> branch.device().name(), NaturalOrder.NAMES))
        .toList();
  }
}
