package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One part of a machine with what is inside it: parts that hold CPUs, memory, and devices. A part
 * is known by identity, not by content; two cores may look alike.
 */
public final class Part {
  /** Bytes of memory of a NUMA node. */
  public static final String MEMORY_BYTES = "memoryBytes";

  /** Bytes of a cache. */
  public static final String CACHE_BYTES = "cacheBytes";

  /** The address of a PCI function: {@code 0000:1b:00.0}. */
  public static final String PCI_ADDRESS = "pciAddress";

  /** Class, vendor and device of a PCI function in hexadecimal: {@code 0302}, {@code 10de}. */
  public static final String PCI_CLASS = "pciClass";

  public static final String PCI_VENDOR = "pciVendor";
  public static final String PCI_DEVICE = "pciDevice";

  /** What tells two sorts of groups apart. */
  public static final String GROUP_KIND = "groupKind";

  /** A group whose maker wants it kept. */
  public static final String DO_NOT_MERGE = "doNotMerge";

  /** A host bridge says {@code host}, any other bridge {@code pci}. */
  public static final String BRIDGE = "bridge";

  private final PartKind kind;
  private final int number;
  private final String name;
  private final String subtype;
  private final IdSet cpus;
  private final IdSet nodes;
  private final Map<String, String> facts;
  private final List<Part> children;
  private final List<Part> memory;
  private final List<Part> io;

  private Part(Builder from) {
    this.kind = from.kind;
    this.number = from.number;
    this.name = from.name;
    this.subtype = from.subtype;
    this.cpus = from.cpus;
    this.nodes = from.nodes;
    this.facts = Map.copyOf(from.facts);
    this.children = List.copyOf(from.children);
    this.memory = List.copyOf(from.memory);
    this.io = List.copyOf(from.io);
  }

  public static Builder of(PartKind kind) {
    return new Builder(kind);
  }

  /** A builder that starts as a copy of this part. */
  public Builder toBuilder() {
    Builder builder = new Builder(kind).number(number).name(name).subtype(subtype);
    builder.cpus = cpus;
    builder.nodes = nodes;
    builder.facts = facts;
    builder.children = children;
    builder.memory = memory;
    builder.io = io;
    return builder;
  }

  public PartKind kind() {
    return kind;
  }

  /** The kernel's number of it, or -1. */
  public int number() {
    return number;
  }

  /** The name of a device, such as {@code nvml0} or {@code mlx5_0}, or empty. */
  public String name() {
    return name;
  }

  /** What hwloc calls the subtype: {@code NVML}, {@code OpenFabrics}; or empty. */
  public String subtype() {
    return subtype;
  }

  public IdSet cpus() {
    return cpus;
  }

  /** The NUMA nodes that are local to it. */
  public IdSet nodes() {
    return nodes;
  }

  public Map<String, String> facts() {
    return facts;
  }

  public Optional<String> fact(String factName) {
    return Optional.ofNullable(facts.get(factName));
  }

  public OptionalLong amount(String factName) {
    String text = facts.get(factName);
    return text == null || !text.matches("[0-9]{1,18}")
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(text));
  }

  /** Parts that hold CPUs. */
  public List<Part> children() {
    return children;
  }

  /** NUMA nodes and memory-side caches. */
  public List<Part> memory() {
    return memory;
  }

  /** Bridges and devices. */
  public List<Part> io() {
    return io;
  }

  @Override
  public String toString() {
    String what = name.isEmpty() ? (number < 0 ? "" : "#" + number) : " " + name;
    return kind.hwlocName() + what + (cpus.isEmpty() ? "" : " cpus " + cpus);
  }

  /** Builds a part. Children go where their kind belongs. */
  public static final class Builder {
    private final PartKind kind;
    private int number = -1;
    private String name = "";
    private String subtype = "";
    private IdSet cpus = IdSet.EMPTY;
    private IdSet nodes = IdSet.EMPTY;
    // Shared with the part it came from until something is added: trees are rebuilt often.
    private Map<String, String> facts = Map.of();
    private List<Part> children = List.of();
    private List<Part> memory = List.of();
    private List<Part> io = List.of();

    private Builder(PartKind kind) {
      this.kind = kind;
    }

    public Builder number(int osNumber) {
      this.number = osNumber;
      return this;
    }

    public Builder name(String deviceName) {
      this.name = deviceName;
      return this;
    }

    public Builder subtype(String text) {
      this.subtype = text;
      return this;
    }

    public Builder cpus(IdSet set) {
      this.cpus = set;
      return this;
    }

    public Builder nodes(IdSet set) {
      this.nodes = set;
      return this;
    }

    public Builder fact(String factName, @Nullable Object value) {
      if (value != null) {
        if (!(facts instanceof HashMap)) {
          facts = new HashMap<>(facts);
        }
        facts.put(factName, value.toString());
      }
      return this;
    }

    public Builder add(Part part) {
      if (part.kind.normal()) {
        children = with(children, part);
      } else if (part.kind.memory()) {
        memory = with(memory, part);
      } else if (part.kind.io()) {
        io = with(io, part);
      }
      return this;
    }

    private static List<Part> with(List<Part> parts, Part part) {
      List<Part> own = parts instanceof ArrayList ? parts : new ArrayList<>(parts);
      own.add(part);
      return own;
    }

    public Builder addAll(Iterable<Part> parts) {
      parts.forEach(this::add);
      return this;
    }

    /** Leaves out all children of every sort. */
    public Builder clear() {
      children = List.of();
      memory = List.of();
      io = List.of();
      return this;
    }

    public Part build() {
      return new Part(this);
    }
  }
}
