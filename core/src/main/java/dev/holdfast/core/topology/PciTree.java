package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Bridges and what is below them, built from the paths of single functions. */
final class PciTree {
  private final String name;
  private final Map<String, PciTree> bridges = new TreeMap<>(SysfsPci.BY_ADDRESS);
  private final List<Part> functions = new ArrayList<>();

  PciTree(String name) {
    this.name = name;
  }

  void add(List<String> path, Part function) {
    PciTree at = this;
    for (String bridge : path) {
      at = at.bridges.computeIfAbsent(bridge, PciTree::new);
    }
    at.functions.add(function);
  }

  /** What is directly here, bridges first. */
  List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    bridges.values().forEach(bridge -> parts.add(bridge.part()));
    parts.addAll(functions);
    return parts;
  }

  private Part part() {
    boolean host = name.startsWith("pci");
    return Part.of(PartKind.BRIDGE)
        .name(host ? name : "")
        .fact(Part.BRIDGE, host ? "host" : "pci")
        .fact(Part.PCI_ADDRESS, host ? null : name)
        .addAll(parts())
        .build();
  }
}
