package dev.holdfast.core.topology.draw;

import dev.holdfast.core.text.NaturalOrder;
import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Link;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How far is it from here to there? The distances of NUMA nodes and the links of devices. */
final class Matrices {
  private static final int MOST_NODES = 32;
  private static final int MOST_ROWS = 40;

  private final Style style;
  private final int width;

  Matrices(Style style, int width) {
    this.style = style;
    this.width = width;
  }

  /** GPUs, or adapters where there is no GPU: what a column is for. */
  static List<Device> columns(Topology machine) {
    List<Device> gpus = sorted(machine.devices(Device.Kind.GPU));
    return gpus.isEmpty() ? sorted(machine.devices(Device.Kind.NIC)) : gpus;
  }

  /** What a row is for: GPUs and adapters. */
  static List<Device> rows(Topology machine) {
    List<Device> rows = new ArrayList<>(sorted(machine.devices(Device.Kind.GPU)));
    rows.addAll(sorted(machine.devices(Device.Kind.NIC)));
    return rows;
  }

  private static List<Device> sorted(List<Device> devices) {
    return devices.stream()
        .sorted((one, other) -> NaturalOrder.NAMES.compare(one.name(), other.name()))
        .toList();
  }

  /** The numbers of the nodes whose distances are known. */
  static List<Integer> nodes(Topology machine) {
    Map<Integer, List<Integer>> distances = machine.details().distances();
    return machine.numaNodes().stream()
        .map(node -> node.number())
        .filter(distances::containsKey)
        .sorted()
        .toList();
  }

  /** The distance, or empty where nobody told. */
  static String distance(Topology machine, int from, int to) {
    List<Integer> row = machine.details().distances().getOrDefault(from, List.of());
    return to < row.size() && row.get(to) >= 0 ? Integer.toString(row.get(to)) : "";
  }

  String distances(Topology machine) {
    List<Integer> nodes = nodes(machine);
    if (nodes.size() < 2) {
      return "";
    }
    List<String> heads = nodes.stream().map(String::valueOf).toList();
    List<List<String>> cells = new ArrayList<>();
    for (int from : nodes) {
      cells.add(nodes.stream().map(to -> distance(machine, from, to)).toList());
    }
    int cell = cellWidth(heads, cells);
    String title = "\n" + style.bold("NUMA distances") + "\n";
    if (nodes.size() > MOST_NODES || 6 + nodes.size() * (cell + 1) > width) {
      return title + Wrap.hanging(summary(nodes, cells), 0, width) + "\n";
    }
    StringBuilder out = new StringBuilder(title).append(line("", heads, 6, cell, true));
    for (int i = 0; i < nodes.size(); i++) {
      out.append(line(heads.get(i), cells.get(i), 6, cell, false));
    }
    return out.toString();
  }

  /** For machines with too many nodes for a table. */
  private static String summary(List<Integer> nodes, List<List<String>> cells) {
    Map<Integer, Integer> counts = new TreeMap<>();
    cells.forEach(
        row ->
            row.stream()
                .filter(value -> !value.isEmpty())
                .forEach(value -> counts.merge(Integer.parseInt(value), 1, Integer::sum)));
    return "%d nodes; pairs at each distance: %s"
        .formatted(
            nodes.size(),
            counts.entrySet().stream()
                .limit(20)
                .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
                .collect(Collectors.joining(", ")));
  }

  String links(Topology machine) {
    List<Device> columns = columns(machine);
    List<Device> rows = rows(machine);
    if (rows.size() < 2) {
      return "";
    }
    int first = rows.stream().mapToInt(row -> Labels.unique(row).length()).max().orElse(0) + 2;
    int widest = columns.stream().mapToInt(c -> Labels.unique(c).length()).max().orElse(0);
    int cell = Math.max(4, widest);
    int fitting = Math.max(1, (width - first) / (cell + 1));
    List<Device> shown = columns.subList(0, Math.min(columns.size(), fitting));
    List<Device> shownRows = rows.subList(0, Math.min(rows.size(), MOST_ROWS));
    StringBuilder out = new StringBuilder("\n" + style.bold("Links") + "\n");
    out.append(line("", shown.stream().map(Labels::unique).toList(), first, cell, true));
    Set<Link> met = EnumSet.noneOf(Link.class);
    for (Device row : shownRows) {
      out.append(padded(Labels.unique(row), first));
      for (Device column : shown) {
        Link link = machine.link(row, column);
        met.add(link);
        String text = padded(Labels.link(machine, row, column), cell);
        out.append(painted(link, text)).append(' ');
      }
      out.setLength(out.length() - 1);
      trim(out);
      out.append('\n');
    }
    if (shown.size() < columns.size() || shownRows.size() < rows.size()) {
      out.append(
          "%d of %d columns, %d of %d rows; --format json has all\n"
              .formatted(shown.size(), columns.size(), shownRows.size(), rows.size()));
    }
    return out.append(legend(met)).toString();
  }

  private String legend(Set<Link> met) {
    StringBuilder out = new StringBuilder();
    for (Link link : met) {
      if (link != Link.SELF) {
        String word = link == Link.NV ? "NV#" : link.word();
        String meaning = link == Link.NV ? "NVLink, # of them" : link.meaning();
        out.append(style.dim("  %-5s %s".formatted(word, Wrap.cut(meaning, width - 8))));
        out.append('\n');
      }
    }
    return out.toString();
  }

  private String painted(Link link, String text) {
    return switch (link) {
      case NV, PIX, PXB -> style.green(text);
      case SYS -> style.yellow(text);
      case SELF, UNKNOWN -> style.dim(text);
      case PHB, NODE -> text;
    };
  }

  private String line(String head, List<String> cells, int first, int cell, boolean title) {
    StringBuilder out = new StringBuilder(head);
    out.append(" ".repeat(Math.max(0, first - head.length())));
    for (String text : cells) {
      out.append(text).append(" ".repeat(Math.max(0, cell - text.length()) + 1));
    }
    trim(out);
    return (title ? style.dim(out.toString()) : out.toString()) + "\n";
  }

  private static int cellWidth(List<String> heads, List<List<String>> cells) {
    int widest = heads.stream().mapToInt(String::length).max().orElse(1);
    for (List<String> row : cells) {
      widest = Math.max(widest, row.stream().mapToInt(String::length).max().orElse(1));
    }
    return Math.max(3, widest);
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static void trim(StringBuilder out) {
    int end = out.length();
    while (end > 0 && out.charAt(end - 1) == ' ') {
      end--;
    }
    out.setLength(end);
  }
}
