package dev.holdfast.core.topology.draw;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.PartKind;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/** How much of everything the machine has; 0 where the source does not tell. */
record Totals(
    int packages,
    int numaNodes,
    int cores,
    int cpus,
    long memoryBytes,
    int gpus,
    int nics,
    int drives) {
  static Totals of(Topology machine) {
    return new Totals(
        count(machine, PartKind.PACKAGE),
        machine.numaNodes().size(),
        count(machine, PartKind.CORE),
        machine.cpus().count(),
        machine.numaNodes().stream()
            .mapToLong(node -> node.amount(Part.MEMORY_BYTES).orElse(0))
            .reduce(0, Totals::sum),
        machine.devices(Device.Kind.GPU).size(),
        machine.devices(Device.Kind.NIC).size(),
        machine.devices(Device.Kind.NVME).size());
  }

  /** A sum that a hostile file cannot turn negative. */
  private static long sum(long one, long other) {
    long total = one + other;
    return total < 0 ? Long.MAX_VALUE : total;
  }

  private static int count(Topology machine, PartKind kind) {
    return machine.levels().stream()
        .filter(level -> level.getFirst().kind() == kind)
        .mapToInt(List::size)
        .sum();
  }

  /** For people: {@code 2 packages, 4 NUMA nodes, 64 cores (128 CPUs), 1 TiB}. */
  String words() {
    List<String> words = new ArrayList<>();
    if (packages > 0) {
      words.add(Labels.plural(packages, "package"));
    }
    words.add(Labels.plural(numaNodes, "NUMA node"));
    if (cores > 0 && cores != cpus) {
      words.add(Labels.plural(cores, "core") + " (" + cpus + " CPUs)");
    } else {
      words.add(Labels.plural(cpus, cores > 0 ? "core" : "CPU"));
    }
    if (memoryBytes > 0) {
      words.add(Bytes.of(memoryBytes).toString());
    }
    words.add(gpus == 0 ? "no GPU" : Labels.plural(gpus, "GPU"));
    if (nics > 0) {
      words.add(Labels.plural(nics, "RDMA adapter"));
    }
    if (drives > 0) {
      words.add(Labels.plural(drives, "NVMe drive"));
    }
    return String.join(", ", words);
  }
}
