package dev.holdfast.core.topology.draw;

import dev.holdfast.core.text.Json;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Link;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The machine for programs: every part, every device, every pair. */
public final class TopologyJson {
  public static final String SCHEMA = "holdfast.topology/1";

  /** A matrix of more would be larger than all the rest. */
  private static final int MOST_IN_MATRIX = 256;

  private TopologyJson() {}

  public static String write(Topology machine) {
    return Json.pretty(tree(machine));
  }

  static Map<String, @Nullable Object> tree(Topology machine) {
    Topology.Details details = machine.details();
    return Json.map(
        "schema",
        SCHEMA,
        "host",
        text(details.host()),
        "source",
        details.source(),
        "totals",
        totals(Totals.of(machine)),
        "machine",
        part(machine.root()),
        "devices",
        machine.devices().stream().map(device -> device(machine, device)).toList(),
        "links",
        links(machine),
        "distances",
        distances(machine),
        "notes",
        details.notes());
  }

  private static Map<String, @Nullable Object> totals(Totals totals) {
    return Json.map(
        "packages",
        totals.packages(),
        "numaNodes",
        totals.numaNodes(),
        "cores",
        totals.cores(),
        "cpus",
        totals.cpus(),
        "memoryBytes",
        totals.memoryBytes(),
        "gpus",
        totals.gpus(),
        "nics",
        totals.nics(),
        "nvmeDrives",
        totals.drives());
  }

  private static Map<String, @Nullable Object> part(Part part) {
    return Json.map(
        "kind",
        word(part.kind()),
        "number",
        part.number() < 0 ? null : part.number(),
        "name",
        text(part.name()),
        "subtype",
        text(part.subtype()),
        "cpus",
        set(part.cpus()),
        "nodes",
        set(part.nodes()),
        "memoryBytes",
        amount(part, Part.MEMORY_BYTES),
        "cacheBytes",
        amount(part, Part.CACHE_BYTES),
        "pci",
        text(part.fact(Part.PCI_ADDRESS).orElse("")),
        "facts",
        facts(part),
        "memory",
        parts(part.memory()),
        "children",
        parts(part.children()),
        "io",
        parts(part.io()));
  }

  private static @Nullable Object parts(List<Part> parts) {
    return parts.isEmpty() ? null : parts.stream().map(TopologyJson::part).toList();
  }

  private static Map<String, @Nullable Object> device(Topology machine, Device device) {
    boolean placed = device.anchor() != machine.root() || machine.numaNodes().size() == 1;
    return Json.map(
        "kind",
        word(device.kind()),
        "name",
        device.name(),
        "id",
        text(device.id()),
        "pci",
        text(device.pci()),
        "vendor",
        text(device.vendor()),
        "placed",
        placed,
        "nodes",
        placed ? device.anchor().nodes().toString() : "",
        "cpus",
        placed ? device.anchor().cpus().toString() : "",
        "bridges",
        device.bridges().stream().map(bridge -> bridge.fact(Part.PCI_ADDRESS).orElse("")).toList(),
        "facts",
        facts(device.part()));
  }

  /** The words of {@code nvidia-smi topo -m}, a row and a column for each device. */
  private static Map<String, @Nullable Object> links(Topology machine) {
    List<Device> devices = Matrices.rows(machine);
    boolean all = devices.size() <= MOST_IN_MATRIX;
    List<Device> shown = all ? devices : devices.subList(0, MOST_IN_MATRIX);
    List<List<String>> matrix = new ArrayList<>();
    for (Device row : shown) {
      matrix.add(shown.stream().map(column -> Labels.link(machine, row, column)).toList());
    }
    Map<String, @Nullable Object> meanings = Json.map();
    for (Link link : Link.values()) {
      if (matrix.stream().flatMap(List::stream).anyMatch(cell -> means(cell, link))) {
        meanings.put(link.word(), link.meaning());
      }
    }
    return Json.map(
        "devices",
        shown.stream().map(Device::name).toList(),
        "matrix",
        matrix,
        "meanings",
        meanings,
        "complete",
        all);
  }

  private static boolean means(String cell, Link link) {
    return cell.equals(link.word()) || link == Link.NV && cell.startsWith("NV");
  }

  private static Map<String, @Nullable Object> distances(Topology machine) {
    List<Integer> nodes = Matrices.nodes(machine);
    List<List<@Nullable Integer>> rows = new ArrayList<>();
    for (int from : nodes) {
      List<@Nullable Integer> row = new ArrayList<>();
      for (int to : nodes) {
        String distance = Matrices.distance(machine, from, to);
        row.add(distance.isEmpty() ? null : Integer.valueOf(distance));
      }
      rows.add(row);
    }
    return Json.map("nodes", nodes, "rows", rows);
  }

  private static @Nullable Object facts(Part part) {
    Map<String, String> facts = new TreeMap<>(part.facts());
    List.of(Part.MEMORY_BYTES, Part.CACHE_BYTES, Part.PCI_ADDRESS).forEach(facts::remove);
    return facts.isEmpty() ? null : facts;
  }

  private static @Nullable Object amount(Part part, String fact) {
    return part.amount(fact).isPresent() ? part.amount(fact).getAsLong() : null;
  }

  private static @Nullable Object set(IdSet set) {
    return set.isEmpty() ? null : set.toString();
  }

  private static @Nullable Object text(String text) {
    return text.isEmpty() ? null : text;
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
