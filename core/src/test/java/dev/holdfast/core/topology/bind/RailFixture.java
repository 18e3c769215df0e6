package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Links;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.PartKind;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A made-up node: NUMA nodes with cores, and switches with GPUs and adapters below them. CPUs are
 * numbered as Linux does: first a thread of every core, then the second ones.
 */
final class RailFixture {
  private final int nodes;
  private final int cores;
  private final int threads;
  private final List<Part> loose = new ArrayList<>();
  private final Map<Integer, Map<String, List<Part>>> switches = new TreeMap<>();
  private int functions;

  RailFixture(int nodes, int cores, int threads) {
    this.nodes = nodes;
    this.cores = cores;
    this.threads = threads;
  }

  /** Eight GPUs on eight switches of two NUMA nodes, an adapter beside each GPU. */
  static RailFixture hgx() {
    RailFixture node = new RailFixture(2, 56, 2);
    for (int i = 0; i < 8; i++) {
      node.gpu(i / 4, "s" + i, i).nic(i / 4, "s" + i, "mlx5_" + i, Map.of("rateGbps", "400"));
    }
    return node;
  }

  /** Where {@code node} is -1, its place is unknown. */
  RailFixture gpu(int node, String pciSwitch, int number) {
    return device(node, pciSwitch, "nvml" + number, "NVML", "10de", Map.of());
  }

  RailFixture amdGpu(int node, String pciSwitch, int number) {
    return device(node, pciSwitch, "rsmi" + number, "RSMI", "1002", Map.of());
  }

  RailFixture nic(int node, String pciSwitch, String name, Map<String, String> facts) {
    return device(node, pciSwitch, name, "OpenFabrics", "15b3", facts);
  }

  private RailFixture device(
      int node,
      String pciSwitch,
      String name,
      String subtype,
      String vendor,
      Map<String, String> facts) {
    Part.Builder device = Part.of(PartKind.OS_DEVICE).name(name).subtype(subtype);
    facts.forEach(device::fact);
    Part function =
        Part.of(PartKind.PCI_DEVICE)
            .fact(Part.PCI_ADDRESS, "0000:%02x:00.0".formatted(++functions))
            .fact(Part.PCI_VENDOR, vendor)
            .add(device.build())
            .build();
    if (node < 0) {
      loose.add(function);
    } else {
      switches
          .computeIfAbsent(node, _ -> new TreeMap<>())
          .computeIfAbsent(pciSwitch, _ -> new ArrayList<>())
          .add(function);
    }
    return this;
  }

  Topology build() {
    Part.Builder machine =
        Part.of(PartKind.MACHINE).cpus(IdSet.range(0, nodes * cores * threads - 1));
    machine.nodes(IdSet.range(0, nodes - 1));
    for (int node = 0; node < nodes; node++) {
      machine.add(node(node));
    }
    machine.addAll(loose);
    return Topology.of(
        machine.build(), new Topology.Details("test", "", List.of(), Links.NONE, Map.of()));
  }

  private Part node(int node) {
    List<Part> parts = new ArrayList<>();
    for (int core = node * cores; core < (node + 1) * cores; core++) {
      Part.Builder part = Part.of(PartKind.CORE).number(core);
      List<IdSet> cpus = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int id = core + thread * nodes * cores;
        cpus.add(IdSet.of(id));
        part.add(Part.of(PartKind.PU).number(id).cpus(IdSet.of(id)).build());
      }
      parts.add(part.cpus(IdSet.union(cpus)).nodes(IdSet.of(node)).build());
    }
    IdSet all = IdSet.union(parts.stream().map(Part::cpus).toList());
    Part.Builder host = Part.of(PartKind.BRIDGE).fact(Part.BRIDGE, "host");
    switches
        .getOrDefault(node, Map.of())
        .forEach(
            (name, devices) -> {
              if (name.isEmpty()) {
                host.addAll(devices);
              } else {
                host.add(Part.of(PartKind.BRIDGE).fact(Part.BRIDGE, "pci").addAll(devices).build());
              }
            });
    return Part.of(PartKind.PACKAGE)
        .number(node)
        .cpus(all)
        .nodes(IdSet.of(node))
        .add(Part.of(PartKind.NUMA_NODE).number(node).cpus(all).nodes(IdSet.of(node)).build())
        .addAll(parts)
        .add(host.build())
        .build();
  }

  /** The adapters of each rank, as text. */
  static List<String> nics(RailPlan plan) {
    return plan.tasks().stream()
        .map(task -> String.join("+", task.nics().stream().map(Device::name).toList()))
        .toList();
  }
}
