package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The NUMA nodes: their CPUs, memory and distances.
 *
 * <p>A node without CPUs (memory on a GPU, an expander, high-bandwidth memory) is local to the CPUs
 * that reach it best: those the kernel calls its initiators, else those of the nearest nodes if
 * some are nearer than others.
 */
final class SysfsMemory {
  static final String FOLDER = "/sys/devices/system/node";
  private static final int MAX_NODES = 1024;

  private final SysfsReader reader;
  private final Map<Integer, IdSet> own = new TreeMap<>();
  private final Map<Integer, IdSet> local = new TreeMap<>();
  private final Map<Integer, List<Integer>> distances = new TreeMap<>();

  private SysfsMemory(SysfsReader reader) {
    this.reader = reader;
  }

  static SysfsMemory read(SysfsReader reader, IdSet online) {
    SysfsMemory memory = new SysfsMemory(reader);
    IdSet present = reader.numbered(FOLDER, "node");
    IdSet used = reader.set(FOLDER, "online").map(present::and).orElse(present);
    used.stream()
        .limit(MAX_NODES)
        .forEach(
            node -> {
              String folder = FOLDER + "/node" + node;
              IdSet cpus = reader.set(folder, "cpulist").orElse(IdSet.EMPTY).and(online);
              memory.own.put(node, cpus);
            });
    memory.readDistances();
    memory.own.forEach(
        (node, cpus) -> memory.local.put(node, cpus.isEmpty() ? memory.nearest(node) : cpus));
    return memory;
  }

  /** The kernel writes a row of as many columns as there are nodes online, in their order. */
  private void readDistances() {
    List<Integer> nodes = List.copyOf(own.keySet());
    int width = nodes.isEmpty() ? 0 : nodes.getLast() + 1;
    for (int node : nodes) {
      String path = FOLDER + "/node" + node + "/distance";
      String[] words = reader.files().text(path).orElse("").strip().split("\\s+");
      if (words.length != nodes.size()) {
        distances.clear();
        return;
      }
      Integer[] row = new Integer[width];
      java.util.Arrays.fill(row, -1);
      for (int i = 0; i < words.length; i++) {
        if (!words[i].matches("[0-9]{1,5}")) {
          distances.clear();
          return;
        }
        row[nodes.get(i)] = Integer.parseInt(words[i]);
      }
      distances.put(node, List.of(row));
    }
  }

  private IdSet nearest(int node) {
    IdSet initiators = reader.numbered(FOLDER + "/node" + node + "/access0/initiators", "node");
    IdSet near = cpusOf(initiators.stream().boxed().toList());
    if (near.isEmpty()) {
      near = cpusOf(closest(node));
    }
    reader.note(
        "NUMA node %d has no CPUs; it is taken as %s"
            .formatted(node, near.isEmpty() ? "the whole machine's" : "local to CPUs " + near));
    return near;
  }

  private List<Integer> closest(int node) {
    List<Integer> row = distances.getOrDefault(node, List.of());
    List<Integer> closest = new ArrayList<>();
    int least = Integer.MAX_VALUE;
    for (int other : distances.keySet()) {
      int distance = other == node ? Integer.MAX_VALUE : row.get(other);
      if (distance < least) {
        least = distance;
        closest.clear();
      }
      if (distance == least && other != node) {
        closest.add(other);
      }
    }
    boolean telling = !closest.isEmpty() && least > row.get(node);
    return telling && closest.size() < distances.size() - 1 ? closest : List.of();
  }

  private IdSet cpusOf(List<Integer> nodes) {
    return IdSet.union(
        nodes.stream()
            .map(node -> local.getOrDefault(node, own.getOrDefault(node, IdSet.EMPTY)))
            .toList());
  }

  /** The CPUs each node is local to, by the node's number. */
  Map<Integer, IdSet> local() {
    return local;
  }

  Map<Integer, List<Integer>> distances() {
    return distances;
  }

  /** The groups that the tree needs for nodes whose CPUs no other part has, and for near nodes. */
  List<Block> groups() {
    List<Block> groups = new ArrayList<>();
    for (IdSet cpus : local.values()) {
      groups.add(Block.group(Block.MEMORY, cpus));
    }
    groups.addAll(DistanceGroups.of(distances, local));
    return groups;
  }

  void attach(Nesting tree) {
    local.forEach(
        (node, cpus) -> {
          Part part =
              Part.of(PartKind.NUMA_NODE)
                  .number(node)
                  .cpus(cpus)
                  .nodes(IdSet.of(node))
                  .fact(Part.MEMORY_BYTES, bytes(node))
                  .build();
          tree.attach(cpus, cpus.isEmpty() ? apart(part) : part);
        });
  }

  /** Memory that is near to nothing stands beside the packages in a group of its own. */
  private static Part apart(Part node) {
    return Block.group(Block.MEMORY, IdSet.EMPTY).part().nodes(node.nodes()).add(node).build();
  }

  private long bytes(int node) {
    String text = reader.files().text(FOLDER + "/node" + node + "/meminfo").orElse("");
    for (String line : text.split("\n", 200)) {
      int at = line.indexOf("MemTotal:");
      if (at >= 0) {
        String digits = line.substring(at + "MemTotal:".length()).replaceAll("[^0-9]", "");
        return digits.matches("[0-9]{1,15}") ? Long.parseLong(digits) << 10 : 0;
      }
    }
    return 0;
  }
}
