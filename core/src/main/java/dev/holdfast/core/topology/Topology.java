package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A machine: the tree of its parts, its levels, its NUMA nodes and its devices, and what lies
 * between two devices. Levels and orders are those of hwloc, so that what is decided on one is what
 * tools built on hwloc would decide.
 */
public final class Topology {
  private final Part root;
  private final Details details;
  private final Map<Part, Part> parents = new IdentityHashMap<>();

  /**
   * Worked out when first asked for: a machine that is read only to be changed has no use for it.
   */
  private volatile @Nullable LevelIndex levelIndex;

  private final List<Part> numaNodes = new ArrayList<>();
  private final List<Device> devices;
  private final List<Device> gpus;

  /**
   * What a source tells beside the tree.
   *
   * @param source where it comes from, for people: {@code hwloc 2 XML}
   * @param host the name of the machine, or empty
   * @param notes what was missing or odd and what was done about it
   * @param links what the source itself says about pairs of devices, beside what the tree tells
   * @param distances the kernel's distances between NUMA nodes, by the node's number
   */
  public record Details(
      String source,
      String host,
      List<String> notes,
      Links links,
      Map<Integer, List<Integer>> distances) {
    public Details {
      notes = List.copyOf(notes);
      distances = Map.copyOf(distances);
    }

    public static Details of(String source) {
      return new Details(source, "", List.of(), Links.NONE, Map.of());
    }

    public Details withNote(String note) {
      List<String> more = new ArrayList<>(notes);
      more.add(note);
      return new Details(source, host, more, links, distances);
    }
  }

  private Topology(Part root, Details details) {
    this.root = root;
    this.details = details;
    index(root);
    this.devices = DeviceFinder.find(this);
    this.gpus =
        devices.stream()
            .filter(device -> device.kind() == Device.Kind.GPU && !device.id().isEmpty())
            .toList();
  }

  public static Topology of(Part root, Details details) {
    return new Topology(root, details);
  }

  private void index(Part part) {
    for (Part child : part.children()) {
      parents.put(child, part);
      index(child);
    }
    for (Part child : part.memory()) {
      parents.put(child, part);
      index(child);
      if (child.kind() == PartKind.NUMA_NODE) {
        numaNodes.add(child);
      }
    }
    for (Part child : part.io()) {
      parents.put(child, part);
      index(child);
    }
  }

  /** Another machine with the same details but a changed tree. */
  public Topology withRoot(Part changed) {
    return new Topology(changed, details);
  }

  /** The same machine without the levels that add no structure. */
  public Topology condensed() {
    return new Topology(Structure.keep(root), details);
  }

  /** The same machine with something to say about it. */
  public Topology withNote(String note) {
    return withDetails(details.withNote(note));
  }

  public Topology withDetails(Details changed) {
    return new Topology(root, changed);
  }

  public Part root() {
    return root;
  }

  public Details details() {
    return details;
  }

  /** The parts with CPUs level by level, the machine first, the logical processors last. */
  public List<List<Part>> levels() {
    return levelIndex().levels();
  }

  private LevelIndex levelIndex() {
    LevelIndex known = levelIndex;
    if (known == null) {
      known = LevelIndex.of(root);
      levelIndex = known;
    }
    return known;
  }

  /** The levels, and for each part with CPUs which one it is on. */
  private record LevelIndex(List<List<Part>> levels, Map<Part, Integer> depths) {
    static LevelIndex of(Part root) {
      List<List<Part>> levels = Levels.of(root);
      Map<Part, Integer> depths = new IdentityHashMap<>();
      for (int depth = 0; depth < levels.size(); depth++) {
        for (Part part : levels.get(depth)) {
          depths.put(part, depth);
        }
      }
      return new LevelIndex(levels, depths);
    }
  }

  /** The level a part with CPUs is on. */
  public int depth(Part part) {
    Integer depth = levelIndex().depths().get(part);
    if (depth == null) {
      throw new IllegalArgumentException("not a level of this machine: " + part);
    }
    return depth;
  }

  /** The level of cores; where cores add nothing to their one thread, that of the threads. */
  public int coreDepth() {
    List<List<Part>> levels = levels();
    for (int depth = 0; depth < levels.size(); depth++) {
      if (levels.get(depth).getFirst().kind() == PartKind.CORE) {
        return depth;
      }
    }
    return levels.size() - 1;
  }

  /** Hardware threads a core. */
  public int threadsPerCore() {
    return Math.max(1, levels().get(coreDepth()).getFirst().children().size());
  }

  /** In the order of the tree, which is not always that of their numbers. */
  public List<Part> numaNodes() {
    return numaNodes;
  }

  public Optional<Part> numaNode(int number) {
    return numaNodes.stream().filter(node -> node.number() == number).findFirst();
  }

  /** What it is directly in; the machine is in nothing. */
  public @Nullable Part parent(Part part) {
    return parents.get(part);
  }

  /** The part with CPUs that a memory or a device hangs from. */
  public Part holder(Part part) {
    Part at = part;
    while (!at.kind().normal()) {
      Part up = parents.get(at);
      if (up == null) {
        return root;
      }
      at = up;
    }
    return at;
  }

  /** Whether {@code part} is {@code ancestor} or inside it. */
  public boolean inside(Part part, Part ancestor) {
    for (Part at = part; at != null; at = parents.get(at)) {
      if (at == ancestor) {
        return true;
      }
    }
    return false;
  }

  /** GPUs, adapters and drives in the order of the tree. */
  public List<Device> devices() {
    return devices;
  }

  /** The GPUs a management library numbers, in the order of the tree. */
  public List<Device> gpus() {
    return gpus;
  }

  public List<Device> devices(Device.Kind kind) {
    return devices.stream().filter(device -> device.kind() == kind).toList();
  }

  /** What lies between two devices. */
  public Link link(Device one, Device other) {
    return details.links().between(one, other).orElseGet(() -> PciPath.link(this, one, other));
  }

  public IdSet cpus() {
    return root.cpus();
  }
}
