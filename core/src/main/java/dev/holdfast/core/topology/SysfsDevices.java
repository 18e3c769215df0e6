package dev.holdfast.core.topology;

import dev.holdfast.core.topology.SysfsPci.Function;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Hangs the devices, with the bridges above them, from the CPUs they are near to. */
final class SysfsDevices {
  private static final String NVME = "/sys/class/nvme";
  private static final int MAX_DRIVES = 1024;

  private final SysfsReader reader;
  private final IdSet online;
  private final Map<Integer, IdSet> nodes;

  SysfsDevices(SysfsReader reader, IdSet online, Map<Integer, IdSet> nodes) {
    this.reader = reader;
    this.online = online;
    this.nodes = nodes;
  }

  /**
   * Adds the devices to the tree.
   *
   * @param told GPUs by PCI address as their library numbers them; where it is empty, the order on
   *     the bus decides
   */
  void attach(Nesting tree, Map<String, ManagedGpu> told) {
    Map<String, Function> functions = SysfsPci.functions(reader);
    Map<String, ManagedGpu> gpus =
        told.isEmpty() ? SysfsGpus.number(reader, functions.values()) : told;
    Map<String, List<Part>> network = SysfsNetwork.read(reader);
    Map<String, List<Part>> drives = drives();
    Map<IdSet, PciTree> trees = new LinkedHashMap<>();
    List<String> unplaced = new ArrayList<>();
    for (Function function : functions.values()) {
      Part.Builder part = function.part();
      ManagedGpu gpu = gpus.get(function.address());
      if (gpu != null) {
        part.add(gpu.part());
      }
      for (Part device : network.getOrDefault(function.address(), List.of())) {
        part.add(
            function.virtual() ? device.toBuilder().fact("virtualFunction", true).build() : device);
      }
      part.addAll(drives.getOrDefault(function.address(), List.of()));
      IdSet near = near(function);
      if (near.isEmpty() && nodes.size() > 1) {
        unplaced.add(function.address());
      }
      trees.computeIfAbsent(near, _ -> new PciTree("")).add(function.path(), part.build());
    }
    trees.forEach((cpus, pci) -> pci.parts().forEach(part -> tree.attach(cpus, part)));
    if (!unplaced.isEmpty()) {
      reader.note(
          "the firmware does not say on which NUMA node these are: " + String.join(", ", unplaced));
    }
  }

  /** The CPUs near a function; empty when that is all of them or nobody knows. */
  private IdSet near(Function function) {
    int node = reader.id(function.file("numa_node"));
    IdSet cpus =
        node >= 0
            ? nodes.getOrDefault(node, IdSet.EMPTY)
            : reader
                .set(SysfsPci.FOLDER + "/" + function.address(), "local_cpulist")
                .orElse(IdSet.EMPTY)
                .and(online);
    boolean everywhere = node < 0 && cpus.equals(online);
    return everywhere ? IdSet.EMPTY : cpus;
  }

  /** NVMe drives by the PCI address of their controller. */
  private Map<String, List<Part>> drives() {
    Map<String, List<Part>> drives = new LinkedHashMap<>();
    for (String controller : reader.files().list(NVME).stream().limit(MAX_DRIVES).toList()) {
      String folder = NVME + "/" + controller;
      String pci = reader.linkName(folder + "/device").orElse("");
      List<String> names =
          reader.files().list(folder).stream()
              .filter(name -> name.matches("nvme[0-9]{1,4}(c[0-9]{1,4})?n[0-9]{1,4}"))
              .map(name -> name.replaceAll("c[0-9]+", ""))
              .sorted(SysfsPci.BY_ADDRESS)
              .toList();
      for (String name : names.isEmpty() ? List.of(controller) : names) {
        drives
            .computeIfAbsent(pci, _ -> new ArrayList<>())
            .add(Part.of(PartKind.OS_DEVICE).name(name).subtype("NVMe").build());
      }
    }
    return drives;
  }
}
