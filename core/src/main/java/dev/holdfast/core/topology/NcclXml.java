package dev.holdfast.core.topology;

import dev.holdfast.core.text.XmlTree;
import dev.holdfast.core.text.XmlTree.Element;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the topology files of NCCL and RCCL: those that come with a machine ({@code
 * NCCL_TOPO_FILE}) and those that a job wrote ({@code NCCL_TOPO_DUMP_FILE}).
 *
 * <p>Such a file tells NUMA nodes with their CPUs and the PCI tree below each, one element for a
 * whole switch, and nothing of cores, caches or host bridges. So every CPU stands alone, and what
 * hangs from one NUMA node without a switch in common meets at one host bridge, which is how NCCL
 * counts it.
 */
public final class NcclXml {
  private static final int MAX_NODES = 1024;

  private final List<String> notes = new ArrayList<>();
  private IdSet seenCpus = IdSet.EMPTY;
  private final Set<Integer> seenNodes = new HashSet<>();

  private NcclXml() {}

  /** Whether the root element is NCCL's, be it the wrong one of its files. */
  static boolean recognises(Element root) {
    return root.name().equals("system") || root.name().equals("graphs");
  }

  public static Topology read(String text) {
    return read(XmlTree.read(text));
  }

  static Topology read(Element root) {
    if (root.name().equals("graphs")) {
      throw wrong(
          root,
          "<graphs> is what NCCL_GRAPH_DUMP_FILE writes: the rings and trees of a job, not the"
              + " machine. Give the file that NCCL_TOPO_DUMP_FILE writes; it begins with <system>");
    }
    if (!root.name().equals("system")) {
      throw wrong(root, "<" + root.name() + "> is not NCCL's <system>");
    }
    return new NcclXml().system(root);
  }

  private Topology system(Element root) {
    List<Element> processors = oneHost(root.children("cpu"));
    if (processors.isEmpty() || processors.size() > MAX_NODES) {
      throw wrong(
          root,
          "<system> has %d <cpu> elements, where 1-%d are expected"
              .formatted(processors.size(), MAX_NODES));
    }
    List<Element> loose = root.children("pci");
    List<Element> all = new ArrayList<>(processors);
    all.addAll(loose);
    NcclDevices devices = NcclDevices.of(all, notes);
    Part.Builder machine = Part.of(PartKind.MACHINE);
    for (Element cpu : processors) {
      machine.add(node(cpu, devices));
    }
    loose.forEach(pci -> machine.addAll(devices.function(pci)));
    machine.cpus(seenCpus);
    if (seenCpus.isEmpty()) {
      throw wrong(
          root,
          "no <cpu> has an affinity, so the CPUs are unknown. Let NCCL write the file"
              + " (NCCL_TOPO_DUMP_FILE), or use lstopo --of xml");
    }
    notes.add("the file tells nothing of cores and caches: every CPU stands alone");
    devices.note();
    Topology tree =
        Topology.of(
            Completion.complete(machine.build(), notes), Topology.Details.of("NCCL topology XML"));
    return tree.withDetails(
        new Topology.Details(
            "NCCL topology XML",
            "",
            notes,
            NcclLinks.of(tree, devices, notes),
            java.util.Map.of()));
  }

  /** Jobs across hosts with NVLink between them write several hosts into one file. */
  private List<Element> oneHost(List<Element> processors) {
    if (processors.isEmpty()) {
      return processors;
    }
    String host = processors.getFirst().attribute("host_hash").orElse("");
    List<Element> own =
        processors.stream()
            .filter(cpu -> cpu.attribute("host_hash").orElse("").equals(host))
            .toList();
    if (own.size() < processors.size()) {
      notes.add("the file tells of several hosts; only the first (host_hash " + host + ") is read");
    }
    return own;
  }

  private Part node(Element cpu, NcclDevices devices) {
    int number = number(cpu);
    IdSet cpus = affinity(cpu);
    IdSet doubled = cpus.and(seenCpus);
    if (!doubled.isEmpty()) {
      notes.add("CPUs %s stand in two NUMA nodes; the first one keeps them".formatted(doubled));
      cpus = cpus.without(doubled);
    }
    seenCpus = seenCpus.or(cpus);
    if (cpus.isEmpty()) {
      notes.add("the file does not tell the CPUs of NUMA node " + number);
    }
    Part.Builder group = Part.of(PartKind.GROUP).fact(Part.GROUP_KIND, "numa").cpus(cpus);
    if (number >= 0) {
      IdSet self = IdSet.of(number);
      group.nodes(self);
      group.add(Part.of(PartKind.NUMA_NODE).number(number).cpus(cpus).nodes(self).build());
    }
    cpus.stream().forEach(id -> group.add(Processors.single(id)));
    Part.Builder bridge = Part.of(PartKind.BRIDGE).fact(Part.BRIDGE, "host");
    cpu.children("pci").forEach(pci -> bridge.addAll(devices.function(pci)));
    cpu.children("nic").forEach(nic -> bridge.addAll(devices.adapters(nic)));
    Part host = bridge.build();
    return host.io().isEmpty() ? group.build() : group.add(host).build();
  }

  private int number(Element cpu) {
    String text = cpu.attribute("numaid").orElse("-1");
    if (!text.matches("-?[0-9]{1,4}")) {
      throw wrong(cpu, "numaid '" + shown(text) + "' is not the number of a NUMA node");
    }
    int number = Math.max(-1, Integer.parseInt(text));
    if (number < 0) {
      notes.add("a <cpu> without the number of its NUMA node (line " + cpu.line() + ")");
    } else if (!seenNodes.add(number)) {
      throw wrong(cpu, "NUMA node " + number + " stands in two <cpu> elements");
    }
    return number;
  }

  private static IdSet affinity(Element cpu) {
    String text = cpu.attribute("affinity").orElse("");
    try {
      return text.isBlank() ? IdSet.EMPTY : IdSet.parseMask(text);
    } catch (IllegalArgumentException e) {
      throw wrong(cpu, "affinity: " + e.getMessage());
    }
  }

  static String shown(String text) {
    return text.length() > 40 ? text.substring(0, 40) + "…" : text;
  }

  static IllegalArgumentException wrong(Element element, String what) {
    return new IllegalArgumentException("line " + element.line() + ": " + what);
  }
}
