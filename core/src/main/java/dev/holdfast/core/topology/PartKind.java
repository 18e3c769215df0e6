package dev.holdfast.core.topology;

import java.util.Map;
import java.util.Optional;

/**
 * What a part of a machine is. The order is that of nesting where two parts have the same CPUs: the
 * earlier one is outside.
 */
public enum PartKind {
  MACHINE("Machine", 90),
  PACKAGE("Package", 40),
  DIE("Die", 30),
  GROUP("Group", 0),
  L5_CACHE("L5Cache", 20),
  L4_CACHE("L4Cache", 20),
  L3_CACHE("L3Cache", 20),
  L3_INSTRUCTION_CACHE("L3iCache", 19),
  L2_CACHE("L2Cache", 20),
  L2_INSTRUCTION_CACHE("L2iCache", 19),
  L1_CACHE("L1Cache", 20),
  L1_INSTRUCTION_CACHE("L1iCache", 19),
  CORE("Core", 60),
  PU("PU", 100),
  NUMA_NODE("NUMANode", 100),
  MEMORY_CACHE("MemCache", 19),
  BRIDGE("Bridge", 0),
  PCI_DEVICE("PCIDev", 100),
  OS_DEVICE("OSDev", 100),
  MISC("Misc", 0);

  private static final Map<String, PartKind> BY_NAME = byName();

  private final String hwlocName;
  private final int priority;

  PartKind(String hwlocName, int priority) {
    this.hwlocName = hwlocName;
    this.priority = priority;
  }

  private static Map<String, PartKind> byName() {
    Map<String, PartKind> map = new java.util.HashMap<>();
    for (PartKind kind : values()) {
      map.put(kind.hwlocName, kind);
    }
    // Names of hwloc 1.
    map.put("Socket", PACKAGE);
    map.put("System", MACHINE);
    return Map.copyOf(map);
  }

  /** The kind hwloc calls so. */
  public static Optional<PartKind> named(String hwlocName) {
    return Optional.ofNullable(BY_NAME.get(hwlocName));
  }

  public String hwlocName() {
    return hwlocName;
  }

  /** Of two parts with the same CPUs, the one with the higher priority says more. */
  int priority() {
    return priority;
  }

  /** Whether it holds CPUs: machine, package, cache, core, … */
  public boolean normal() {
    return ordinal() <= PU.ordinal();
  }

  public boolean memory() {
    return this == NUMA_NODE || this == MEMORY_CACHE;
  }

  public boolean io() {
    return this == BRIDGE || this == PCI_DEVICE || this == OS_DEVICE;
  }

  public boolean cache() {
    return ordinal() >= L5_CACHE.ordinal() && ordinal() <= L1_INSTRUCTION_CACHE.ordinal();
  }
}
