package dev.holdfast.doctor.topology;

import dev.holdfast.core.topology.MachineFiles;
import dev.holdfast.core.topology.ManagedGpu;
import dev.holdfast.core.topology.SysfsTopology;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * What a node consists of, from its files and from what its accelerators tell: their numbers and
 * the NVLinks between them. A live node, a snapshot and a fixture are read the same way.
 */
public final class NodeTopology {
  private NodeTopology() {}

  /**
   * Reads the node's topology.
   *
   * @throws Unavailable when the node does not even say which CPUs it has
   */
  public static Topology of(NodeView node) {
    return of(node, new Accelerators(node));
  }

  /** The same with accelerators that were read already. */
  public static Topology of(NodeView node, Accelerators accelerators) {
    return read(node, accelerators, SysfsTopology::read);
  }

  /**
   * NUMA nodes, CPUs and devices only, which is what a check can afford at every run.
   *
   * @throws Unavailable when the node does not even say which CPUs it has
   */
  public static Topology outline(NodeView node, Accelerators accelerators) {
    return read(node, accelerators, SysfsTopology::outline);
  }

  private static Topology read(
      NodeView node,
      Accelerators accelerators,
      BiFunction<MachineFiles, Map<String, ManagedGpu>, Topology> reader) {
    List<Accelerator> devices = accelerators.all();
    Topology machine;
    try {
      machine = reader.apply(new Files(node), gpus(devices));
    } catch (IllegalArgumentException e) {
      throw new Unavailable(String.valueOf(e.getMessage()));
    }
    Topology.Details found = machine.details();
    return machine.withDetails(
        new Topology.Details(
            found.source(),
            node.name(),
            found.notes(),
            NvlinkPeers.of(devices),
            found.distances()));
  }

  /** The GPUs by PCI address. */
  private static Map<String, ManagedGpu> gpus(List<Accelerator> devices) {
    Map<String, ManagedGpu> gpus = new HashMap<>();
    for (Accelerator device : devices) {
      String library =
          switch (device.vendor()) {
            case "nvidia" -> "NVML";
            case "amd" -> "RSMI";
            default -> "";
          };
      Optional<String> address = device.text("pci.address");
      if (address.isPresent() && !library.isEmpty()) {
        Map<String, String> facts = new HashMap<>();
        device.text("name").ifPresent(name -> facts.put("model", name));
        device.text("uuid").ifPresent(uuid -> facts.put("uuid", uuid));
        gpus.put(address.get(), new ManagedGpu(library, device.index(), facts));
      }
    }
    return gpus;
  }

  /** The node's files as the reader wants them. */
  private record Files(NodeView node) implements MachineFiles {
    @Override
    public Optional<String> text(String path) {
      return node.text(path);
    }

    @Override
    public List<String> list(String path) {
      return node.list(path);
    }

    @Override
    public Optional<String> link(String path) {
      return node.link(path);
    }
  }
}
