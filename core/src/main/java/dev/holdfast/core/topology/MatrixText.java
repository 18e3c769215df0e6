package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table of {@code nvidia-smi topo -m} as text: tabs or blanks, with or without the codes that
 * underline its head, cut out of a terminal with whatever stood around it.
 */
final class MatrixText {
  private static final int MAX_DEVICES = 512;
  private static final int MAX_CHARACTERS = 4 << 20;
  private static final Pattern CODES = Pattern.compile("\u001B\\[[0-9;]*[A-Za-z]");
  private static final Pattern LEGEND = Pattern.compile("\\s*(NIC[0-9]{1,4}):\\s*(\\S{1,64})\\s*");
  private static final String GPU = "GPU[0-9]{1,4}";

  private final List<String> columns;
  private final int line;
  private final boolean nodesTold;
  private final List<Row> rows = new ArrayList<>();
  private final Map<String, String> legend = new HashMap<>();
  private final Map<String, List<String>> cells = new LinkedHashMap<>();

  /**
   * A row.
   *
   * @param memoryNode the NUMA node that the GPU's own memory is, or empty
   */
  record Row(String name, IdSet cpus, IdSet nodes, String memoryNode) {
    boolean gpu() {
      return name.matches(GPU);
    }
  }

  private MatrixText(List<String> columns, int line, boolean nodesTold) {
    this.columns = columns;
    this.line = line;
    this.nodesTold = nodesTold;
  }

  static boolean recognises(String text) {
    return plain(text).lines().anyMatch(line -> head(line) != null);
  }

  static MatrixText read(String text) {
    if (text.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException("more text than any nvidia-smi topo -m prints");
    }
    List<String> lines = plain(text).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      @Nullable List<String> columns = head(lines.get(i));
      if (columns != null) {
        MatrixText table =
            new MatrixText(columns, i + 1, lines.get(i).matches(".*NUMA\\s+Affinity.*"));
        table.body(lines.subList(i + 1, lines.size()));
        return table;
      }
    }
    throw new IllegalArgumentException(
        "no line is the head of nvidia-smi topo -m, such as 'GPU0 GPU1 … CPU Affinity'");
  }

  private static String plain(String text) {
    return CODES.matcher(text).replaceAll("").replace("\r", "");
  }

  /** The devices of a head, or null where the line is none. */
  private static @Nullable List<String> head(String text) {
    if (text.length() > 16_384 || !text.strip().startsWith("GPU")) {
      return null;
    }
    String[] parts = text.split("(CPU|NUMA)\\s+Affinity", 2);
    List<String> names = List.of(parts[0].strip().split("\\s+"));
    boolean devices =
        names.stream()
            .allMatch(
                name -> name.matches("[A-Za-z][A-Za-z0-9_.:-]*") && Link.parse(name).isEmpty());
    boolean affinity = parts.length > 1 || names.size() > 1;
    return devices && affinity && names.getFirst().matches(GPU) ? names : null;
  }

  private void body(List<String> lines) {
    Set<String> wanted = new LinkedHashSet<>(columns);
    if (wanted.size() < columns.size() || columns.size() > MAX_DEVICES) {
      throw new IllegalArgumentException(
          "line %d: a head with a device twice or with more than %d".formatted(line, MAX_DEVICES));
    }
    for (int i = 0; i < lines.size(); i++) {
      String text = lines.get(i);
      Matcher named = LEGEND.matcher(text);
      String first = text.strip().split("\\s+", 2)[0];
      if (named.matches()) {
        legend.put(named.group(1), named.group(2));
      } else if (wanted.remove(first)) {
        row(text, line + 1 + i);
      } else if (!wanted.isEmpty() && !first.isEmpty()) {
        throw new IllegalArgumentException(
            "line %d: a row for %s is expected, not '%s'. Give the whole table"
                .formatted(line + 1 + i, wanted.iterator().next(), NcclXml.shown(first)));
      }
    }
    if (!wanted.isEmpty()) {
      throw new IllegalArgumentException(
          "line %d: the table ends without a row for %s. Give the whole output of nvidia-smi topo -m"
              .formatted(line + lines.size(), String.join(", ", wanted)));
    }
  }

  private void row(String text, int at) {
    List<String> words = List.of(text.strip().split("\\s+"));
    String name = words.getFirst();
    int end = columns.size() + 1;
    if (words.size() < end) {
      throw new IllegalArgumentException(
          "line %d: %s has %d cells, but there are %d devices. Is the line cut off?"
              .formatted(at, name, words.size() - 1, columns.size()));
    }
    for (int i = 1; i < end; i++) {
      if (Link.parse(words.get(i)).isEmpty()) {
        throw new IllegalArgumentException(
            "line %d: '%s' between %s and %s is none of X, NV#, PIX, PXB, PHB, NODE, SYS"
                .formatted(at, NcclXml.shown(words.get(i)), name, columns.get(i - 1)));
      }
    }
    cells.put(name, words.subList(1, end));
    List<String> rest = affinity(text, words.subList(end, words.size()));
    rows.add(
        new Row(
            name,
            set(rest.getFirst(), at, "CPU Affinity"),
            nodesTold ? set(rest.get(1), at, "NUMA Affinity") : IdSet.EMPTY,
            rest.get(2).matches("[0-9]{1,4}") ? rest.get(2) : ""));
  }

  /** CPU Affinity, NUMA Affinity, GPU NUMA ID; empty where the row has none. */
  private List<String> affinity(String text, List<String> words) {
    List<String> found = new ArrayList<>(words);
    String[] tabbed = text.split("\t", -1);
    int first = columns.size() + 1;
    if (words.size() < 2 && tabbed.length > first + 1) {
      found = new ArrayList<>(List.of(tabbed[first].strip(), tabbed[first + 1].strip()));
    }
    while (found.size() < 3) {
      found.add("");
    }
    return found;
  }

  private static IdSet set(String text, int at, String column) {
    if (text.isEmpty() || text.equals("N/A")) {
      return IdSet.EMPTY;
    }
    try {
      return IdSet.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "line %d: %s: %s".formatted(at, column, e.getMessage()), e);
    }
  }

  int line() {
    return line;
  }

  List<Row> rows() {
    return rows;
  }

  /** The name software knows an adapter by: {@code mlx5_0} for {@code NIC0}. */
  String shown(String name) {
    return legend.getOrDefault(name, name);
  }

  /** Adapters that stand as NIC0 and the like without a line in the legend. */
  List<String> unnamed() {
    return columns.stream()
        .filter(name -> name.matches("NIC[0-9]{1,4}") && !legend.containsKey(name))
        .toList();
  }

  Link link(String one, String other) {
    List<String> row = cells.get(one);
    int column = columns.indexOf(other);
    return row == null || column < 0
        ? Link.UNKNOWN
        : Link.parse(row.get(column)).orElse(Link.UNKNOWN);
  }

  Links links() {
    Links.Builder links = Links.builder();
    for (int i = 0; i < columns.size(); i++) {
      List<String> row = cells.getOrDefault(columns.get(i), List.of());
      for (int j = 0; j < Math.min(i, row.size()); j++) {
        String cell = row.get(j);
        int nvlinks = cell.matches("NV[0-9]{1,3}") ? Integer.parseInt(cell.substring(2)) : 0;
        links.add(
            shown(columns.get(i)),
            shown(columns.get(j)),
            Link.parse(cell).orElse(Link.UNKNOWN),
            nvlinks);
      }
    }
    return links.build();
  }
}
