package dev.holdfast.core.topology;

import java.util.List;
import java.util.Map;

/**
 * Builds a machine's topology from what the Linux kernel writes in {@code /sys} and {@code /proc}:
 * the same parts, inside each other in the same way, as hwloc finds there.
 *
 * <p>Files that are missing leave their part out; only the list of CPUs must be there.
 */
public final class SysfsTopology {
  private SysfsTopology() {}

  public static Topology read(MachineFiles files) {
    return read(files, Map.of());
  }

  /**
   * Reads the machine.
   *
   * @param gpus by PCI address, as their management library numbers them; empty when nobody asked
   *     it, and the order on the bus decides, which is the library's own
   */
  public static Topology read(MachineFiles files, Map<String, ManagedGpu> gpus) {
    SysfsReader reader = new SysfsReader(files);
    IdSet online = SysfsProcessors.online(reader);
    return read(reader, online, SysfsProcessors.blocks(reader, online), gpus);
  }

  /**
   * Reads only NUMA nodes, CPUs and devices, without packages, caches and cores: enough to say what
   * is near what, at a tenth of the files.
   */
  public static Topology outline(MachineFiles files, Map<String, ManagedGpu> gpus) {
    SysfsReader reader = new SysfsReader(files);
    IdSet online = SysfsProcessors.online(reader);
    List<Block> blocks =
        online.stream().mapToObj(cpu -> Block.of(PartKind.PU, cpu, IdSet.of(cpu))).toList();
    return read(reader, online, blocks, gpus);
  }

  private static Topology read(
      SysfsReader reader, IdSet online, List<Block> blocks, Map<String, ManagedGpu> gpus) {
    SysfsMemory memory = SysfsMemory.read(reader, online);
    Nesting tree = new Nesting(online, blocks, memory.groups(), reader::note);
    memory.attach(tree);
    new SysfsDevices(reader, online, memory.local()).attach(tree, gpus);
    Part root = Completion.complete(tree.build(), reader.notes());
    return Topology.of(
        root,
        new Topology.Details(
            "sysfs",
            reader.files().text("/proc/sys/kernel/hostname").orElse(""),
            reader.notes(),
            Links.NONE,
            memory.distances()));
  }
}
