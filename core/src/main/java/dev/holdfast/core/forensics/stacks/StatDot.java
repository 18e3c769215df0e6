package dev.holdfast.core.forensics.stacks;

import dev.holdfast.core.forensics.stacks.StackTree.Node;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file form of STAT: a graph in Graphviz's language whose nodes are call paths and whose edges
 * carry ranks. Written so that STAT's viewer shows it, read with whatever attributes it has.
 *
 * @param head lines before the first node
 * @param nodes in order; attributes by name
 * @param edges in order
 */
public record StatDot(
    List<String> head, Map<Integer, Map<String, String>> nodes, List<Edge> edges) {
  private static final int MOST_LINES = 4_000_000;
  private static final int MOST_DEPTH = 2000;
  private static final String NONE = "(null)";
  private static final Pattern NODE = Pattern.compile("\\s*(-?\\d{1,10})\\s*\\[(.*)\\];?\\s*");
  private static final Pattern EDGE =
      Pattern.compile("\\s*(-?\\d{1,10})\\s*->\\s*(-?\\d{1,10})\\s*\\[(.*)\\];?\\s*");
  private static final Pattern ATTRIBUTE =
      Pattern.compile("\\G\\s*,?\\s*(\\w+)\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^,\"\\s]++))");

  /** From one call path to a longer one. */
  public record Edge(int from, int to, Map<String, String> attributes) {}

  /** The graph of a tree, as STAT's own merger would have written it. */
  public static StatDot of(StackTree tree) {
    Map<Integer, Map<String, String>> nodes = new LinkedHashMap<>();
    List<Edge> edges = new ArrayList<>();
    Map<Long, Integer> colours = new LinkedHashMap<>();
    List<Node> order = new ArrayList<>();
    Map<Node, Integer> ids = new HashMap<>();
    Set<Integer> taken = new HashSet<>(Set.of(0));
    ids.put(tree.root(), 0);
    number(tree.root(), hash(0, "/"), ids, taken, order, edges, 0);
    order.forEach(node -> colours.putIfAbsent(node.sum(), colours.size() + 1));
    nodes.put(0, attributes("/", "/", "#AAAAAA", "#FFFFFF"));
    for (Node node : order) {
      int colour = colours.getOrDefault(node.sum(), 1);
      nodes.put(
          ids.getOrDefault(node, 0),
          attributes(node.frame(), "", fill(colour, colours.size()), font(colour, colours.size())));
    }
    return new StatDot(
        List.of("digraph G {", "\tnode [shape=record,style=filled,labeljust=c,height=0.2];"),
        nodes,
        edges);
  }

  private static void number(
      Node node,
      int hash,
      Map<Node, Integer> ids,
      Set<Integer> taken,
      List<Node> order,
      List<Edge> edges,
      int depth) {
    for (Node child : node.children()) {
      int own = hash(hash, child.frame());
      int id = own;
      while (!taken.add(id)) {
        id++;
      }
      ids.put(child, id);
      order.add(child);
      edges.add(new Edge(ids.getOrDefault(node, 0), id, edge(child)));
      if (depth < MOST_DEPTH) {
        number(child, own, ids, taken, order, edges, depth + 1);
      }
    }
  }

  private static int hash(int from, String text) {
    int hash = from;
    for (byte c : text.getBytes(StandardCharsets.UTF_8)) {
      hash = c + (hash << 6) + (hash << 16) - hash;
    }
    return hash;
  }

  private static Map<String, String> attributes(
      String frame, String label, String fill, String font) {
    int at = frame.indexOf('@');
    int colon = at < 0 ? -1 : frame.indexOf(':', at);
    Map<String, String> all = new LinkedHashMap<>();
    all.put("pos", "0,0");
    all.put("label", label);
    all.put("fillcolor", fill);
    all.put("fontcolor", font);
    all.put("function", escape(at < 0 ? frame : frame.substring(0, at)));
    all.put(
        "source",
        at < 0 ? NONE : escape(frame.substring(at + 1, colon < 0 ? frame.length() : colon)));
    all.put("line", colon < 0 ? NONE : escape(frame.substring(colon + 1)));
    for (String name : List.of("module", "offset", "vars", "pc")) {
      all.put(name, NONE);
    }
    return all;
  }

  private static Map<String, String> edge(Node node) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("label", NONE);
    all.put("bv", node.ranks().toString());
    for (String name : List.of("count", "rep", "sum", "tbv")) {
      all.put(name, NONE);
    }
    all.put("tcount", Long.toString(node.stacks()));
    all.put("tbvsum", Long.toString(node.sum()));
    return all;
  }

  /** The n-th of all colours, going down from white. */
  private static String fill(int number, int all) {
    double parts = all < 18 ? 18 : all % 32 == 0 ? all + 1 : all;
    return "#%06x".formatted(0xFFFFFF - (int) (number / parts * 0xFFFFFF));
  }

  private static String font(int number, int all) {
    return (int) ((1.0 - (double) number / all) * 0xFFFFFF) < 0x10000 ? "#FFFFFF" : "#000000";
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\")
        .replace("\"", "\\\"")
        .replace("<", "\\<")
        .replace(">", "\\>")
        .replace("\n", " ");
  }

  private static String plain(String text) {
    return text.replaceAll("\\\\(.)", "$1");
  }

  /** The file. */
  public String text() {
    StringBuilder out = new StringBuilder();
    head.forEach(line -> out.append(line).append('\n'));
    nodes.forEach(
        (id, attributes) -> {
          out.append('\t').append(id).append(" [");
          write(out, attributes);
          out.append("];\n");
        });
    for (Edge edge : edges) {
      out.append('\t').append(edge.from).append(" -> ").append(edge.to).append(" [");
      write(out, edge.attributes);
      out.append("]\n");
    }
    return out.append("}\n").toString();
  }

  private static void write(StringBuilder out, Map<String, String> attributes) {
    String before = "";
    for (Map.Entry<String, String> one : attributes.entrySet()) {
      out.append(before).append(one.getKey()).append("=\"").append(one.getValue()).append('"');
      before = ", ";
    }
  }

  /**
   * Reads a file of STAT.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static StatDot parse(String text) {
    List<String> head = new ArrayList<>();
    Map<Integer, Map<String, String>> nodes = new LinkedHashMap<>();
    List<Edge> edges = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      if (number > MOST_LINES || line.length() > 1 << 24) {
        throw new IllegalArgumentException("line " + number + ": too large");
      }
      Matcher edge = EDGE.matcher(line);
      Matcher node = NODE.matcher(line);
      if (edge.matches()) {
        edges.add(
            new Edge(
                id(edge.group(1), number),
                id(edge.group(2), number),
                attributes(edge.group(3), number)));
      } else if (node.matches()) {
        nodes.put(id(node.group(1), number), attributes(node.group(2), number));
      } else if (nodes.isEmpty() && !line.isBlank()) {
        head.add(line);
      } else if (!line.isBlank() && !line.strip().equals("}")) {
        throw new IllegalArgumentException("line " + number + ": neither a node nor an edge");
      }
    }
    if (head.isEmpty() || !head.getFirst().startsWith("digraph")) {
      throw new IllegalArgumentException("line 1: not a graph of STAT");
    }
    return new StatDot(head, nodes, edges);
  }

  private static int id(String text, int line) {
    long id = Long.parseLong(text);
    if (id != (int) id) {
      throw new IllegalArgumentException("line " + line + ": not a number of a node: " + text);
    }
    return (int) id;
  }

  private static Map<String, String> attributes(String text, int line) {
    Map<String, String> all = new LinkedHashMap<>();
    Matcher one = ATTRIBUTE.matcher(text);
    int end = 0;
    while (one.find()) {
      all.put(one.group(1), one.group(2) == null ? one.group(3) : one.group(2));
      end = one.end();
    }
    if (!text.substring(end).isBlank()) {
      throw new IllegalArgumentException("line " + line + ": attributes that cannot be read");
    }
    return all;
  }

  /** The tree the graph shows. */
  public StackTree tree() {
    StackTree tree = new StackTree();
    Map<Integer, List<Edge>> from = new HashMap<>();
    edges.forEach(edge -> from.computeIfAbsent(edge.from, _ -> new ArrayList<>()).add(edge));
    Set<Integer> above = new HashSet<>();
    for (Edge edge : from.getOrDefault(0, List.of())) {
      ranks(edge).each(tree.root().ranks()::add);
    }
    int[] left = {edges.size()};
    grow(tree.root(), 0, from, above, left);
    long stacks = tree.root().children().stream().mapToLong(Node::stacks).sum();
    tree.root().set(new RankSet(), stacks, 0);
    tree.root().endsHere();
    return tree;
  }

  private void grow(
      Node node, int id, Map<Integer, List<Edge>> from, Set<Integer> above, int[] left) {
    if (!above.add(id) || above.size() > MOST_DEPTH) {
      throw new IllegalArgumentException("the graph goes in a circle at node " + id);
    }
    for (Edge edge : from.getOrDefault(id, List.of())) {
      if (--left[0] < 0) {
        throw new IllegalArgumentException("the graph is no tree: two ways to node " + edge.to);
      }
      Node child = node.child(frame(edge.to));
      RankSet ranks = ranks(edge);
      child.set(ranks, number(edge, "tcount", ranks.size()), number(edge, "tbvsum", 0));
      grow(child, edge.to, from, above, left);
    }
    above.remove(id);
  }

  private static RankSet ranks(Edge edge) {
    return RankSet.parse(edge.attributes.getOrDefault("bv", "[]"), StackTree.MOST_RANK);
  }

  private static long number(Edge edge, String name, long otherwise) {
    try {
      return Long.parseLong(edge.attributes.getOrDefault(name, ""));
    } catch (NumberFormatException none) {
      return otherwise;
    }
  }

  private String frame(int id) {
    Map<String, String> node = nodes.getOrDefault(id, Map.of());
    String function = plain(node.getOrDefault("function", NONE));
    String source = plain(node.getOrDefault("source", NONE));
    String line = plain(node.getOrDefault("line", NONE));
    if (function.equals(NONE)) {
      return plain(node.getOrDefault("label", String.valueOf(id)));
    }
    return function
        + (source.equals(NONE) ? "" : "@" + source)
        + (line.equals(NONE) ? "" : ":" + line);
  }
}
