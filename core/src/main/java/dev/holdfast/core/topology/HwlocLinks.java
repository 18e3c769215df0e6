package dev.holdfast.core.topology;

import dev.holdfast.core.text.XmlTree.Element;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringTokenizer;

/** The matrices at the end of hwloc's XML: distances of NUMA nodes, bandwidth of NVLinks. */
final class HwlocLinks {
  /** An object of hwloc's by its number across all kinds. */
  static final String GLOBAL_NUMBER = "gpIndex";

  private static final int MAX_SIDE = 1024;

  private HwlocLinks() {}

  /** The NVLinks between GPUs; how many a bandwidth is made of, the file does not say. */
  static Links nvlinks(Element root, Part machine) {
    Links.Builder links = Links.builder();
    Map<String, String> byNumber = new HashMap<>();
    for (Element matrix : root.children()) {
      if (!matrix.attribute("name").orElse("").equals("NVLinkBandwidth")) {
        continue;
      }
      List<String> names = new ArrayList<>();
      if (byNumber.isEmpty()) {
        deviceNames(machine, byNumber);
      }
      for (String index : words(matrix, "indexes")) {
        names.add(byNumber.getOrDefault(index.replaceFirst("^OSDev:", ""), ""));
      }
      List<Long> values = numbers(matrix);
      if (values.size() != names.size() * names.size()) {
        continue;
      }
      for (int i = 0; i < names.size(); i++) {
        for (int j = 0; j < i; j++) {
          boolean both = !names.get(i).isEmpty() && !names.get(j).isEmpty();
          if (both && values.get(i * names.size() + j) > 0) {
            links.add(names.get(i), names.get(j), Link.NV, 0);
          }
        }
      }
    }
    return links.build();
  }

  private static void deviceNames(Part part, Map<String, String> names) {
    if (part.kind() == PartKind.OS_DEVICE && DeviceFinder.managed(part)) {
      part.fact(GLOBAL_NUMBER).ifPresent(n -> names.put(n, DeviceFinder.gpuName(part)));
    }
    part.children().forEach(child -> deviceNames(child, names));
    part.io().forEach(child -> deviceNames(child, names));
  }

  /** The kernel's distances between NUMA nodes, by number. */
  static Map<Integer, List<Integer>> distances(Element root) {
    for (Element matrix : root.children("distances2")) {
      boolean latency =
          matrix.attribute("type").orElse("").equals("NUMANode")
              && matrix.attribute("name").orElse("NUMALatency").equals("NUMALatency")
              && matrix.attribute("indexing").orElse("os").equals("os");
      List<String> numbers = words(matrix, "indexes");
      List<Long> values = numbers(matrix);
      if (latency && !values.isEmpty() && values.size() == numbers.size() * numbers.size()) {
        return rows(numbers, values);
      }
    }
    return Map.of();
  }

  /** Rows and columns by node number; a column nobody told of is -1. */
  private static Map<Integer, List<Integer>> rows(List<String> numbers, List<Long> values) {
    List<Optional<Integer>> nodes = numbers.stream().map(HwlocLinks::node).toList();
    int width = nodes.stream().mapToInt(node -> node.orElse(-1)).max().orElse(-1) + 1;
    Map<Integer, List<Integer>> rows = new HashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      Integer[] row = new Integer[width];
      java.util.Arrays.fill(row, -1);
      for (int j = 0; j < nodes.size(); j++) {
        int column = nodes.get(j).orElse(-1);
        if (column >= 0) {
          row[column] = (int) Math.min(Integer.MAX_VALUE, values.get(i * nodes.size() + j));
        }
      }
      nodes.get(i).ifPresent(node -> rows.put(node, List.of(row)));
    }
    return rows;
  }

  private static Optional<Integer> node(String text) {
    return text.matches("[0-9]{1,4}") && Integer.parseInt(text) < MAX_SIDE
        ? Optional.of(Integer.parseInt(text))
        : Optional.empty();
  }

  private static List<String> words(Element matrix, String name) {
    return words(matrix, name, MAX_SIDE);
  }

  /** The words in the elements of that name; none where there are more than a machine needs. */
  private static List<String> words(Element matrix, String name, int limit) {
    List<String> words = new ArrayList<>();
    for (Element element : matrix.children(name)) {
      StringTokenizer text = new StringTokenizer(element.text());
      while (text.hasMoreTokens()) {
        if (words.size() == limit) {
          return List.of();
        }
        words.add(text.nextToken());
      }
    }
    return words;
  }

  private static List<Long> numbers(Element matrix) {
    List<Long> numbers = new ArrayList<>();
    for (String word : words(matrix, "u64values", MAX_SIDE * MAX_SIDE)) {
      if (!word.matches("[0-9]{1,18}")) {
        return List.of();
      }
      numbers.add(Long.parseLong(word));
    }
    return numbers;
  }
}
