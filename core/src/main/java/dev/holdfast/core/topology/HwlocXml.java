package dev.holdfast.core.topology;

import dev.holdfast.core.text.XmlTree;
import dev.holdfast.core.text.XmlTree.Element;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what {@code lstopo --of xml} writes: hwloc 2 and 3, and hwloc 1, whose NUMA nodes stand
 * between the other parts instead of beside them.
 */
public final class HwlocXml {
  private static final Pattern PCI_TYPE =
      Pattern.compile("([0-9a-fA-F]{4}) \\[([0-9a-fA-F]{4}):([0-9a-fA-F]{4})\\].*");
  private static final Map<String, String> SUBTYPE_BY_NAME =
      Map.of("nvml", "NVML", "rsmi", "RSMI", "cuda", "CUDA", "opencl", "OpenCL", "ze", "LevelZero");
  private static final String OS_OPENFABRICS = "3";
  private static final String OS_NETWORK = "2";

  private final boolean first;
  private final List<String> notes = new ArrayList<>();
  private String host = "";

  private HwlocXml(boolean first) {
    this.first = first;
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
    HwlocXml reader = new HwlocXml(version.startsWith("1"));
    Element machine = root.children("object").getFirst();
    Part part = reader.part(machine, IdSet.EMPTY, IdSet.EMPTY);
    if (part.kind() != PartKind.MACHINE) {
      throw wrong(machine, "the outermost object is not a Machine");
    }
    if (reader.first) {
      part = HwlocOne.convert(part);
    }
    part = Completion.complete(allowed(part, machine), reader.notes);
    return Topology.of(
        part,
        new Topology.Details(
            "hwloc " + version + " XML",
            reader.host,
            reader.notes,
            HwlocLinks.nvlinks(root, part),
            HwlocLinks.distances(root)));
  }

  /** Without the CPUs and memory that the recorded machine kept from its users. */
  private static Part allowed(Part part, Element machine) {
    IdSet cpus = set(machine, "allowed_cpuset", part.cpus());
    IdSet nodes = set(machine, "allowed_nodeset", part.nodes());
    Part fewer = part;
    if (!cpus.containsAll(part.cpus())) {
      fewer = Restriction.disallow(fewer, part.cpus().without(cpus), IdSet.EMPTY);
    }
    if (!nodes.containsAll(part.nodes())) {
      fewer = Restriction.disallow(fewer, IdSet.EMPTY, part.nodes().without(nodes));
    }
    return fewer;
  }

  private Part part(Element element, IdSet outerCpus, IdSet outerNodes) {
    String type = element.attribute("type").orElse("");
    PartKind kind = kind(type, element);
    IdSet cpus = set(element, "cpuset", kind.io() ? IdSet.EMPTY : outerCpus);
    IdSet nodes = set(element, "nodeset", kind.io() ? IdSet.EMPTY : outerNodes);
    Part.Builder part =
        Part.of(kind)
            .number(number(element))
            .name(element.attribute("name").orElse(""))
            .cpus(cpus)
            .nodes(nodes);
    Map<String, String> infos = infos(element);
    if (kind == PartKind.MACHINE) {
      host = infos.getOrDefault("HostName", "");
    }
    describe(part, kind, element, infos);
    for (Element child : element.children("object")) {
      part.add(part(child, cpus, nodes));
    }
    return part.build();
  }

  private static PartKind kind(String type, Element element) {
    if (type.equals("Cache")) {
      // hwloc 1: depth 1 to 5, cache_type 0 unified, 1 data, 2 instruction
      String depth = element.attribute("depth").orElse("");
      boolean instructions = element.attribute("cache_type").orElse("").equals("2");
      return PartKind.named("L" + depth + (instructions ? "i" : "") + "Cache")
          .orElseThrow(() -> wrong(element, "a cache of depth '" + depth + "'"));
    }
    return PartKind.named(type)
        .orElseThrow(() -> wrong(element, "an object of the unknown type '" + type + "'"));
  }

  private void describe(
      Part.Builder part, PartKind kind, Element element, Map<String, String> infos) {
    switch (kind) {
      case NUMA_NODE -> part.fact(Part.MEMORY_BYTES, attribute(element, "local_memory"));
      case GROUP -> {
        String kinds = attribute(element, "kind") + ":" + attribute(element, "subkind");
        part.fact(Part.GROUP_KIND, kinds);
        if (attribute(element, "dont_merge").equals("1")) {
          part.fact(Part.DO_NOT_MERGE, true);
        }
      }
      case BRIDGE -> {
        boolean fromHost = element.attribute("bridge_type").orElse("").startsWith("0");
        part.fact(Part.BRIDGE, fromHost ? "host" : "pci");
        pci(part, element);
      }
      case PCI_DEVICE -> pci(part, element);
      case OS_DEVICE -> osDevice(part, element, infos);
      default -> {
        if (kind.cache()) {
          part.fact(Part.CACHE_BYTES, attribute(element, "cache_size"));
        }
      }
    }
    infos.forEach(part::fact);
  }

  private static String attribute(Element element, String name) {
    return element.attribute(name).orElse("");
  }

  private static void pci(Part.Builder part, Element element) {
    element
        .attribute("pci_busid")
        .ifPresent(id -> part.fact(Part.PCI_ADDRESS, id.toLowerCase(Locale.ROOT)));
    Matcher type = PCI_TYPE.matcher(attribute(element, "pci_type"));
    if (type.matches()) {
      part.fact(Part.PCI_CLASS, type.group(1).toLowerCase(Locale.ROOT))
          .fact(Part.PCI_VENDOR, type.group(2).toLowerCase(Locale.ROOT))
          .fact(Part.PCI_DEVICE, type.group(3).toLowerCase(Locale.ROOT));
    }
    element
        .attribute("pci_link_speed")
        .ifPresent(speed -> part.fact("pciGigabytesPerSecond", speed));
  }

  private void osDevice(Part.Builder part, Element element, Map<String, String> infos) {
    String name = attribute(element, "name");
    String subtype =
        element
            .attribute("subtype")
            .or(() -> Optional.ofNullable(infos.get("CoProcType")))
            .orElse("");
    String osType = attribute(element, "osdev_type");
    if (subtype.isEmpty()) {
      subtype = SUBTYPE_BY_NAME.getOrDefault(name.replaceAll("[^a-z].*", ""), "");
    }
    if (osType.equals(OS_OPENFABRICS)) {
      subtype = "OpenFabrics";
    }
    if (osType.equals(OS_NETWORK) && !Set.of("Slingshot", "BXI").contains(subtype)) {
      subtype = "Network";
    }
    part.subtype(subtype);
    part.fact(HwlocLinks.GLOBAL_NUMBER, attribute(element, "gp_index"));
  }

  private static Map<String, String> infos(Element element) {
    Map<String, String> infos = new LinkedHashMap<>();
    for (Element info : element.children("info")) {
      infos.putIfAbsent(attribute(info, "name"), attribute(info, "value"));
    }
    infos.remove("");
    return infos;
  }

  private static IdSet set(Element element, String attribute, IdSet otherwise) {
    String text = element.attribute(attribute).orElse("");
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      return IdSet.parseMask(text);
    } catch (IllegalArgumentException e) {
      throw wrong(element, attribute + ": " + e.getMessage());
    }
  }

  private static int number(Element element) {
    String text = element.attribute("os_index").orElse("-1");
    try {
      int number = Integer.parseInt(text);
      return number > IdSet.MAX_ID ? -1 : number;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static IllegalArgumentException wrong(Element element, String what) {
    return new IllegalArgumentException("line " + element.line() + ": " + what);
  }
}
