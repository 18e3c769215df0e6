package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@code nvidia-smi topo -m} prints.
 *
 * <p>The table tells what lies between any two devices and, for each GPU, its CPUs and NUMA node;
 * that is all the tree is made of. An adapter is put where a GPU is that it is nearer to than
 * across the machine. What the table says of pairs is kept as it is.
 */
public final class TopoMatrix {
  private final MatrixText table;
  private final List<String> notes = new ArrayList<>();
  private final List<Place> places = new ArrayList<>();

  /** Devices with the same CPUs and NUMA nodes. */
  private static final class Place {
    IdSet cpus;
    IdSet nodes;
    final Map<String, Part> devices = new LinkedHashMap<>();

    Place(IdSet cpus, IdSet nodes) {
      this.cpus = cpus;
      this.nodes = nodes;
    }
  }

  private TopoMatrix(MatrixText table) {
    this.table = table;
  }

  /** Whether some line is the head of such a table. */
  static boolean recognises(String text) {
    return MatrixText.recognises(text);
  }

  public static Topology read(String text) {
    return new TopoMatrix(MatrixText.read(text)).topology();
  }

  private Topology topology() {
    Part.Builder machine = Part.of(PartKind.MACHINE);
    for (MatrixText.Row row : table.rows()) {
      if (row.gpu()) {
        @Nullable Place place = place(row);
        if (place == null) {
          notes.add("the table tells neither the CPUs nor the NUMA node of " + row.name());
          machine.add(gpu(row));
        } else {
          place.devices.put(row.name(), gpu(row));
        }
      }
    }
    for (MatrixText.Row row : table.rows()) {
      if (!row.gpu()) {
        @Nullable Place near = near(row);
        if (near == null) {
          machine.add(adapter(row));
        } else {
          near.devices.put(row.name(), adapter(row));
        }
      }
    }
    IdSet cpus = IdSet.union(places.stream().map(place -> place.cpus).toList());
    if (cpus.isEmpty()) {
      throw new IllegalArgumentException(
          "line "
              + table.line()
              + ": no GPU has a CPU Affinity in this table, so the CPUs are unknown."
              + " Use lstopo --of xml, or run holdfast on the machine itself");
    }
    places.sort(java.util.Comparator.comparingInt(place -> place.cpus.first()));
    places.forEach(place -> machine.add(group(place)));
    note(cpus);
    Part whole = Completion.complete(machine.cpus(cpus).build(), notes);
    return Topology.of(
        whole, new Topology.Details("nvidia-smi topo -m", "", notes, table.links(), Map.of()));
  }

  /** The place of a GPU; places that overlap become one. */
  private @Nullable Place place(MatrixText.Row row) {
    if (row.cpus().isEmpty() && row.nodes().isEmpty()) {
      return null;
    }
    Place mine = new Place(row.cpus(), row.nodes());
    List<Place> same =
        places.stream()
            .filter(place -> place.cpus.intersects(mine.cpus) || place.nodes.intersects(mine.nodes))
            .toList();
    for (Place other : same) {
      mine.cpus = mine.cpus.or(other.cpus);
      mine.nodes = mine.nodes.or(other.nodes);
      mine.devices.putAll(other.devices);
    }
    places.removeAll(same);
    places.add(mine);
    return mine;
  }

  private @Nullable Place near(MatrixText.Row adapter) {
    Link best = Link.SYS;
    @Nullable Place found = null;
    for (MatrixText.Row row : table.rows()) {
      Link link = table.link(adapter.name(), row.name());
      if (row.gpu() && link.compareTo(best) < 0) {
        best = link;
        found =
            places.stream()
                .filter(place -> place.devices.containsKey(row.name()))
                .findFirst()
                .orElse(null);
      }
    }
    return found;
  }

  private static Part group(Place place) {
    Part.Builder group =
        Part.of(PartKind.GROUP).fact(Part.GROUP_KIND, "numa").cpus(place.cpus).nodes(place.nodes);
    place.nodes.stream()
        .forEach(
            node ->
                group.add(
                    Part.of(PartKind.NUMA_NODE)
                        .number(node)
                        .cpus(place.cpus)
                        .nodes(IdSet.of(node))
                        .build()));
    place.cpus.stream().forEach(id -> group.add(Processors.single(id)));
    return group.addAll(place.devices.values()).build();
  }

  /** NVIDIA's tool lists NVIDIA's GPUs only. */
  private static Part gpu(MatrixText.Row row) {
    Part.Builder device =
        Part.of(PartKind.OS_DEVICE).name("nvml" + row.name().substring(3)).subtype("NVML");
    if (!row.memoryNode().isEmpty()) {
      device.fact("gpuNumaNode", row.memoryNode());
    }
    return Part.of(PartKind.PCI_DEVICE).fact(Part.PCI_VENDOR, "10de").add(device.build()).build();
  }

  private Part adapter(MatrixText.Row row) {
    return Part.of(PartKind.OS_DEVICE).name(table.shown(row.name())).subtype("OpenFabrics").build();
  }

  private void note(IdSet cpus) {
    notes.add(
        "the table tells the CPUs of NUMA nodes with a GPU only; other NUMA nodes are unknown");
    IdSet gaps = IdSet.range(0, cpus.last()).without(cpus);
    if (!gaps.isEmpty()) {
      notes.add("CPUs %s stand nowhere in the table".formatted(gaps));
    }
    notes.add("the table tells nothing of cores and caches: every CPU stands alone");
    table.unnamed().forEach(name -> notes.add("the NIC legend does not name " + name));
  }
}
