package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.PartKind;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The physical cores of a machine, and what of it is local to a GPU.
 *
 * <p>Some sources tell of no cores. Where the CPUs of a NUMA node then are several runs of one
 * length, as in {@code 0-15,128-143}, the runs are taken for the hardware threads of the same
 * cores: that is how Linux numbers them. Should it be wrong, no rank gets anything remote by it.
 */
final class RailPlaces {
  private final Topology machine;
  private final List<IdSet> cores = new ArrayList<>();
  private final int[] coreOfCpu;
  private final Map<Device, IdSet> cpusOfGpu = new IdentityHashMap<>();
  private boolean guessed;

  RailPlaces(Topology machine) {
    this.machine = machine;
    collect(machine.root());
    this.coreOfCpu = new int[machine.cpus().last() + 1];
    Arrays.fill(coreOfCpu, -1);
    for (int core = 0; core < cores.size(); core++) {
      for (int cpu : cores.get(core).toArray()) {
        if (cpu < coreOfCpu.length) {
          coreOfCpu[cpu] = core;
        }
      }
    }
  }

  private void collect(Part part) {
    if (part.kind() == PartKind.CORE) {
      cores.add(part.cpus());
      return;
    }
    List<IdSet> loose = new ArrayList<>();
    for (Part child : part.children()) {
      if (child.kind() == PartKind.PU) {
        loose.add(child.cpus());
      } else {
        collect(child);
      }
    }
    addLoose(IdSet.union(loose));
  }

  private void addLoose(IdSet cpus) {
    List<IdSet> runs = new ArrayList<>();
    for (int first = cpus.first(); first >= 0; ) {
      int last = first;
      while (cpus.contains(last + 1)) {
        last++;
      }
      runs.add(IdSet.range(first, last));
      first = cpus.next(last + 1);
    }
    boolean alike =
        runs.size() >= 2
            && runs.size() <= 8
            && runs.stream().allMatch(run -> run.count() == runs.getFirst().count());
    if (!alike) {
      cpus.stream().forEach(cpu -> cores.add(IdSet.of(cpu)));
      return;
    }
    guessed = true;
    for (int i = 0; i < runs.getFirst().count(); i++) {
      int offset = i;
      cores.add(IdSet.of(runs.stream().mapToInt(run -> run.first() + offset).toArray()));
    }
  }

  /** In the order of the tree, so that neighbours share caches. */
  List<IdSet> cores() {
    return cores;
  }

  /** The numbers of the cores that have some of the CPUs. */
  IntStream coresOf(IdSet cpus) {
    return cpus.stream()
        .filter(cpu -> cpu < coreOfCpu.length && coreOfCpu[cpu] >= 0)
        .map(cpu -> coreOfCpu[cpu])
        .distinct();
  }

  /** Whether hardware threads were paired by their numbers. */
  boolean guessed() {
    return guessed;
  }

  /** The NUMA nodes a GPU is local to; none where its place is unknown. */
  IdSet nodes(Device gpu) {
    boolean unknown = gpu.anchor() == machine.root() && machine.numaNodes().size() > 1;
    return unknown ? IdSet.EMPTY : gpu.anchor().nodes();
  }

  IdSet nodes(List<Device> gpus) {
    return IdSet.union(gpus.stream().map(this::nodes).toList());
  }

  /** The CPUs of the NUMA nodes a GPU is local to; none where its place is unknown. */
  IdSet cpus(Device gpu) {
    return cpusOfGpu.computeIfAbsent(gpu, this::localCpus);
  }

  private IdSet localCpus(Device gpu) {
    IdSet nodes = nodes(gpu);
    if (nodes.isEmpty()) {
      return IdSet.EMPTY;
    }
    IdSet local =
        IdSet.union(
            machine.numaNodes().stream()
                .filter(node -> nodes.contains(node.number()))
                .map(node -> node.cpus().and(machine.cpus()))
                .toList());
    return local.isEmpty() ? gpu.anchor().cpus() : local;
  }

  IdSet cpus(List<Device> gpus) {
    return IdSet.union(gpus.stream().map(this::cpus).toList());
  }

  /** The GPUs a rank can be given, by their numbers. */
  static List<Device> gpus(Topology machine) {
    return machine.gpus().stream()
        .sorted(java.util.Comparator.comparingLong(RailPlaces::number))
        .toList();
  }

  private static long number(Device gpu) {
    return gpu.id().matches("[0-9]{1,9}") ? Long.parseLong(gpu.id()) : Long.MAX_VALUE;
  }

  /** The device that goes by this number, name, PCI address or UUID. */
  static Optional<Device> named(List<Device> devices, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return devices.stream()
        .filter(
            device ->
                device.id().equals(name)
                    || device.name().equals(name)
                    || device.pci().equals(lower)
                    || device.part().facts().entrySet().stream()
                        .anyMatch(
                            fact ->
                                fact.getKey().toLowerCase(Locale.ROOT).endsWith("uuid")
                                    && fact.getValue().equalsIgnoreCase(name)))
        .findFirst();
  }
}
