package dev.holdfast.core.topology.draw;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Links;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.PartKind;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.core.topology.TopologyReader;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Machines to draw. */
final class Samples {
  static final Path FOLDER =
      Golden.root().resolve("core/src/test/resources/dev/holdfast/core/topology/draw");

  private Samples() {}

  static Topology twoSockets() {
    return read(FOLDER.resolve("two-sockets.xml"));
  }

  static Topology fourGpus() {
    return read(FOLDER.resolve("four-gpus.txt"));
  }

  static Topology read(Path file) {
    try {
      return TopologyReader.read(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every machine of the shared data, by name; NCCL's graphs are no machines. */
  static Map<String, Topology> shared() throws IOException {
    Path data = Golden.root().resolve("../shared/data");
    assumeTrue(Files.isDirectory(data), "the recorded machines are not here: " + data);
    Map<String, Topology> machines = new TreeMap<>();
    List<Path> files = new ArrayList<>(List.of(data.resolve("h200/topo.txt")));
    for (String folder : List.of("topologies", "mpibind/topologies")) {
      try (Stream<Path> listing = Files.list(data.resolve(folder))) {
        files.addAll(listing.filter(file -> !file.toString().contains("graph")).toList());
      }
    }
    files.forEach(file -> machines.put(file.getFileName().toString(), read(file)));
    return machines;
  }

  /** A machine with as many packages and, in each, NUMA nodes of 32 cores with two threads. */
  static Topology large(int packages, int nodes) {
    int all = packages * nodes * 32;
    Part.Builder machine = Part.of(PartKind.MACHINE).cpus(IdSet.range(0, 2 * all - 1));
    Map<Integer, List<Integer>> distances = new TreeMap<>();
    for (int p = 0; p < packages; p++) {
      List<Part> groups = new ArrayList<>();
      for (int n = 0; n < nodes; n++) {
        groups.add(node(p * nodes + n, all));
        distances.put(p * nodes + n, distances(p, nodes, packages * nodes, p * nodes + n));
      }
      machine.add(
          Part.of(PartKind.PACKAGE)
              .number(p)
              .cpus(IdSet.union(groups.stream().map(Part::cpus).toList()))
              .nodes(IdSet.range(p * nodes, p * nodes + nodes - 1))
              .addAll(groups)
              .build());
    }
    return Topology.of(
        machine.nodes(IdSet.range(0, packages * nodes - 1)).build(),
        new Topology.Details("test", "large", List.of(), Links.NONE, distances));
  }

  private static List<Integer> distances(int socket, int nodes, int all, int from) {
    List<Integer> row = new ArrayList<>();
    for (int to = 0; to < all; to++) {
      row.add(to == from ? 10 : to / nodes == socket ? 12 : 32);
    }
    return row;
  }

  private static Part node(int number, int all) {
    int first = number * 32;
    IdSet cpus = IdSet.range(first, first + 31).or(IdSet.range(all + first, all + first + 31));
    IdSet self = IdSet.of(number);
    Part.Builder group = Part.of(PartKind.GROUP).cpus(cpus).nodes(self);
    group.add(
        Part.of(PartKind.NUMA_NODE)
            .number(number)
            .cpus(cpus)
            .nodes(self)
            .fact(Part.MEMORY_BYTES, 96L << 30)
            .build());
    for (int cache = 0; cache < 4; cache++) {
      int base = first + 8 * cache;
      IdSet shared = IdSet.range(base, base + 7).or(IdSet.range(all + base, all + base + 7));
      Part.Builder l3 =
          Part.of(PartKind.L3_CACHE).cpus(shared).nodes(self).fact(Part.CACHE_BYTES, 32 << 20);
      for (int core = base; core < base + 8; core++) {
        l3.add(core(core, all + core, self));
      }
      group.add(l3.build());
    }
    return group.build();
  }

  private static Part core(int one, int other, IdSet node) {
    return Part.of(PartKind.CORE)
        .number(one)
        .cpus(IdSet.of(one, other))
        .nodes(node)
        .add(Part.of(PartKind.PU).number(one).cpus(IdSet.of(one)).nodes(node).build())
        .add(Part.of(PartKind.PU).number(other).cpus(IdSet.of(other)).nodes(node).build())
        .build();
  }

  /** A machine whose every text was chosen to do harm. */
  static Topology hostile() {
    String script = "<script>alert('x')</script>&\"]]>";
    String control = "\u001b[31mred\u0000\u0007\r\n\u202Egnp.exe\uFFFE";
    String endless = "W".repeat(200);
    IdSet node = IdSet.of(0);
    Part.Builder bridge = Part.of(PartKind.BRIDGE).fact(Part.BRIDGE, "host");
    int bus = 1;
    for (String name : List.of(script, control, endless)) {
      bridge.add(
          Part.of(PartKind.PCI_DEVICE)
              .fact(Part.PCI_ADDRESS, "0000:0" + bus++ + ":00.0" + name)
              .add(
                  Part.of(PartKind.OS_DEVICE)
                      .name(name)
                      .subtype("OpenFabrics")
                      .fact("state", name)
                      .fact("linkLayer", name)
                      .build())
              .build());
      bridge.add(
          Part.of(PartKind.PCI_DEVICE)
              .fact(Part.PCI_ADDRESS, "0000:0" + bus++ + ":00.0")
              .add(
                  Part.of(PartKind.OS_DEVICE)
                      .name("nvml" + bus)
                      .subtype("NVML")
                      .fact("model", name)
                      .build())
              .build());
    }
    Part socket =
        Part.of(PartKind.PACKAGE)
            .number(0)
            .cpus(node)
            .nodes(node)
            .fact("CPUModel", control + endless)
            .add(Part.of(PartKind.NUMA_NODE).number(0).cpus(node).nodes(node).build())
            .add(Part.of(PartKind.PU).number(0).cpus(node).nodes(node).build())
            .add(bridge.build())
            .build();
    return Topology.of(
        Part.of(PartKind.MACHINE).cpus(node).nodes(node).add(socket).build(),
        new Topology.Details(
            script, endless + control, List.of(script, control, endless), Links.NONE, Map.of()));
  }
}
