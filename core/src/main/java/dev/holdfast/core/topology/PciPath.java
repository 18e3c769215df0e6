package dev.holdfast.core.topology;

import java.util.List;

/** What lies between two devices by their places in the tree. */
final class PciPath {
  private PciPath() {}

  static Link link(Topology machine, Device one, Device other) {
    if (one.equals(other)) {
      return Link.SELF;
    }
    if (unplaced(machine, one) || unplaced(machine, other)) {
      return Link.UNKNOWN;
    }
    int shared = shared(one.bridges(), other.bridges());
    boolean sameFunctionGroup = !one.pci().isEmpty() && card(one).equals(card(other));
    if (sameFunctionGroup) {
      return Link.PIX;
    }
    if (shared > 0) {
      Part last = one.bridges().get(shared - 1);
      if (!last.fact(Part.BRIDGE).orElse("").equals("host")) {
        // A switch shows as one upstream bridge with a downstream bridge for each device.
        int deeper = Math.max(one.bridges().size(), other.bridges().size()) - shared;
        return deeper <= 1 ? Link.PIX : Link.PXB;
      }
      return Link.PHB;
    }
    if (anywhere(machine, one) || anywhere(machine, other)) {
      return Link.UNKNOWN;
    }
    IdSet nodes = one.anchor().nodes();
    return nodes.intersects(other.anchor().nodes()) ? Link.NODE : Link.SYS;
  }

  /** The PCI address without the function: two ports of one card. */
  private static String card(Device device) {
    int dot = device.pci().lastIndexOf('.');
    return dot < 0 ? device.pci() : device.pci().substring(0, dot);
  }

  /** Whether the source leaves open on which of several NUMA nodes the device is. */
  private static boolean unplaced(Topology machine, Device device) {
    return anywhere(machine, device) && device.bridges().isEmpty();
  }

  private static boolean anywhere(Topology machine, Device device) {
    return device.anchor() == machine.root() && machine.numaNodes().size() > 1;
  }

  private static int shared(List<Part> one, List<Part> other) {
    int count = 0;
    while (count < one.size() && count < other.size() && one.get(count) == other.get(count)) {
      count++;
    }
    return count;
  }
}
