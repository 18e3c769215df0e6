package dev.holdfast.core.topology;

import dev.holdfast.core.text.XmlTree;
import dev.holdfast.core.text.XmlTree.Element;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@code lstopo --of xml} writes: hwloc 2 and 3, and hwloc 1, whose NUMA nodes stand
 * between the other parts instead of beside them. Parts, orders and nesting come out as hwloc
 * itself would have them.
 */
public final class HwlocXml {
  /** What hwloc writes for a set without end: all there is. */
  private static final String ENDLESS = "0xf...f";

  private final int version;
  private final HwlocChecks checks = new HwlocChecks();
  private final HwlocDevices devices;

  private HwlocXml(int version) {
    this.version = version;
    this.devices = new HwlocDevices(version);
  }

  /** Whether the root element is one of hwloc's. */
  static boolean recognises(Element root) {
    return root.name().equals("topology") && !root.children("object").isEmpty();
  }

  public static Topology read(String text) {
    return read(XmlTree.read(text));
  }

  static Topology read(Element root) {
    if (!recognises(root)) {
      throw new IllegalArgumentException(
          "<" + root.name() + "> is not hwloc's <topology> with an <object> inside");
    }
    String version = root.attribute("version").orElse("1.0");
    if (!version.matches("[1-9](\\.[0-9]{1,9}){0,3}")) {
      throw HwlocChecks.wrong(root, "version '" + version + "' is none of hwloc's, such as 2.0");
    }
    int major = version.charAt(0) - '0';
    Element machine = root.children("object").getFirst();
    Part part = new HwlocXml(major).part(machine, kind(machine, true), null, IdSet.EMPTY);
    if (part.kind() != PartKind.MACHINE) {
      throw HwlocChecks.wrong(machine, "the outermost object is not a Machine");
    }
    if (major == 1) {
      part = HwlocOne.convert(part);
    }
    List<String> notes = new ArrayList<>();
    part = Completion.complete(Structure.keepGroups(allowed(part, machine)), notes);
    Topology.Details details =
        new Topology.Details(
            "hwloc " + version + " XML",
            host(machine, root),
            notes,
            HwlocLinks.nvlinks(root, part),
            HwlocLinks.distances(root));
    return Topology.of(part, details);
  }

  /** hwloc 3 tells it beside the machine, the others inside. */
  private static String host(Element machine, Element root) {
    return infos(machine).getOrDefault("HostName", infos(root).getOrDefault("HostName", ""));
  }

  /** Without the CPUs and memory that the recorded machine kept from its users. */
  private static Part allowed(Part part, Element machine) {
    IdSet cpus = set(machine, "allowed_cpuset").orElse(part.cpus());
    IdSet nodes = set(machine, "allowed_nodeset").orElse(part.nodes());
    return Disallowed.removed(part, part.cpus().without(cpus), part.nodes().without(nodes));
  }

  private Part part(Element element, PartKind kind, @Nullable PartKind around, IdSet outerCpus) {
    if (around != null) {
      HwlocChecks.nesting(element, kind, around, version);
    }
    // Parts with CPUs first: what has no set of its own has that of what is inside it.
    List<Part> inside = new ArrayList<>();
    List<Element> beside = new ArrayList<>();
    for (Element child : element.children()) {
      if (child.name().equals("object")) {
        PartKind childKind = kind(child, false);
        if (childKind.normal()) {
          inside.add(part(child, childKind, kind, IdSet.EMPTY));
        } else {
          beside.add(child);
        }
      }
    }
    Map<String, String> infos = infos(element);
    Part.Builder part =
        Part.of(kind).name(attribute(element, "name")).subtype(subtype(element, infos));
    infos.forEach(part::fact);
    IdSet cpus = sets(part, element, kind, inside, outerCpus);
    describe(part, element, kind, infos);
    part.addAll(inside);
    for (Element child : beside) {
      part.add(part(child, kind(child, false), kind, cpus));
    }
    return part.build();
  }

  /** Gives the part its number and sets; returns its CPUs. */
  private IdSet sets(
      Part.Builder part, Element element, PartKind kind, List<Part> inside, IdSet outerCpus) {
    int number = number(element);
    if (kind.io() || kind == PartKind.MISC) {
      part.number(number);
      return IdSet.EMPTY;
    }
    IdSet cpus;
    IdSet nodes = set(element, "nodeset").orElse(IdSet.EMPTY);
    if (kind == PartKind.PU) {
      number = number < 0 ? set(element, "cpuset").orElse(IdSet.EMPTY).first() : number;
      cpus = checks.thread(element, number, set(element, "cpuset"));
    } else {
      cpus =
          set(element, "cpuset")
              .orElseGet(() -> HwlocChecks.union(inside, kind.memory() ? outerCpus : IdSet.EMPTY));
    }
    if (kind == PartKind.NUMA_NODE) {
      number = number < 0 ? nodes.first() : number;
      nodes = checks.node(element, number);
    }
    HwlocChecks.apart(element, kind, cpus, inside);
    part.number(number).cpus(cpus).nodes(nodes);
    return cpus;
  }

  private static PartKind kind(Element element, boolean outermost) {
    String type = attribute(element, "type");
    return switch (type) {
      case "Cache" -> cache(element);
      case "Tile", "Module" -> PartKind.GROUP;
      case "Machine" -> outermost ? PartKind.MACHINE : PartKind.GROUP;
      case "Group" ->
          subtype(element, infos(element)).equals("Die") ? PartKind.DIE : PartKind.GROUP;
      default ->
          PartKind.named(type)
              .orElseThrow(
                  () ->
                      HwlocChecks.wrong(
                          element, "an object of the unknown type '" + Shown.of(type) + "'"));
    };
  }

  /** hwloc 1: depth 1 to 5, cache_type 0 unified, 1 data, 2 instruction. */
  private static PartKind cache(Element element) {
    String depth = attribute(element, "depth");
    boolean instructions = attribute(element, "cache_type").equals("2");
    return PartKind.named("L" + depth + (instructions ? "i" : "") + "Cache")
        .orElseThrow(
            () -> HwlocChecks.wrong(element, "a cache of depth '" + Shown.of(depth) + "'"));
  }

  private static String subtype(Element element, Map<String, String> infos) {
    String told = attribute(element, "subtype");
    if (told.isEmpty() && !infos.isEmpty()) {
      return infos.getOrDefault("CoProcType", infos.getOrDefault("Type", ""));
    }
    return told;
  }

  private void describe(
      Part.Builder part, Element element, PartKind kind, Map<String, String> infos) {
    switch (kind) {
      case NUMA_NODE -> part.fact(Part.MEMORY_BYTES, attribute(element, "local_memory"));
      case GROUP -> {
        String kinds = attribute(element, "kind") + ":" + attribute(element, "subkind");
        part.fact(Part.GROUP_KIND, kinds);
        if (attribute(element, "dont_merge").equals("1")) {
          part.fact(Part.DO_NOT_MERGE, true);
        }
      }
      case BRIDGE, PCI_DEVICE, OS_DEVICE -> devices.describe(part, element, kind, infos);
      default -> {
        if (kind.cache()) {
          part.fact(Part.CACHE_BYTES, attribute(element, "cache_size"));
        }
      }
    }
  }

  static String attribute(Element element, String name) {
    return element.attribute(name).orElse("");
  }

  private static Map<String, String> infos(Element element) {
    Map<String, String> infos = Map.of();
    for (Element info : element.children()) {
      if (info.name().equals("info")) {
        infos = infos.isEmpty() ? new LinkedHashMap<>() : infos;
        infos.putIfAbsent(attribute(info, "name"), attribute(info, "value"));
      }
    }
    if (!infos.isEmpty()) {
      infos.remove("");
    }
    return infos;
  }

  private static Optional<IdSet> set(Element element, String attribute) {
    String text = attribute(element, attribute);
    if (text.isEmpty() || text.startsWith(ENDLESS)) {
      return Optional.empty();
    }
    try {
      return Optional.of(IdSet.parseMask(text));
    } catch (IllegalArgumentException e) {
      throw HwlocChecks.wrong(element, attribute + ": " + e.getMessage());
    }
  }

  private static int number(Element element) {
    String text = attribute(element, "os_index");
    // Numbers of bridges go beyond, and hwloc's "unknown" is 4294967295.
    boolean digits = !text.isEmpty() && text.length() < 6;
    for (int i = 0; i < text.length() && digits; i++) {
      digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    int number = digits ? Integer.parseInt(text) : -1;
    return number <= IdSet.MAX_ID ? number : -1;
  }
}
