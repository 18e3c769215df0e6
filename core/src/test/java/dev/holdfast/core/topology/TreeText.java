package dev.holdfast.core.topology;

import java.io.IOException;
import java.io.StringReader;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * A tree as lines, one form for our reading and one for hwloc's XML as the parser of the JDK sees
 * it, so that neither our XML reader nor our sets stand on both sides of a comparison.
 */
final class TreeText {
  private static final Set<String> IO = Set.of("Bridge", "PCIDev", "OSDev");
  private static final Set<String> MEMORY = Set.of("NUMANode", "MemCache");

  private TreeText() {}

  static String of(Topology machine) {
    StringBuilder out = new StringBuilder();
    part(machine.root(), 0, out);
    return out.toString();
  }

  private static void part(Part part, int depth, StringBuilder out) {
    line(
        out,
        depth,
        part.kind().hwlocName(),
        part.kind().io() ? -1 : part.number(),
        part.cpus().toString(),
        part.kind().io() ? "" : part.nodes().toString(),
        part.name(),
        part.fact(Part.PCI_ADDRESS).orElse(""));
    part.memory().forEach(child -> part(child, depth + 1, out));
    part.children().forEach(child -> part(child, depth + 1, out));
    part.io().forEach(child -> part(child, depth + 1, out));
  }

  static String ofXml(String xml) throws IOException {
    StringBuilder out = new StringBuilder();
    element(objects(root(xml)).getFirst(), 0, out);
    return out.toString();
  }

  static Element root(String xml) throws IOException {
    try {
      DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
      builder.setEntityResolver((_, _) -> new InputSource(new StringReader("")));
      return builder.parse(new InputSource(new StringReader(xml))).getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(e);
    }
  }

  private static void element(Element element, int depth, StringBuilder out) {
    String type = element.getAttribute("type");
    boolean io = IO.contains(type);
    String index = element.getAttribute("os_index");
    line(
        out,
        depth,
        type,
        io || index.isEmpty() ? -1 : Integer.parseInt(index),
        members(element.getAttribute("cpuset")),
        io ? "" : members(element.getAttribute("nodeset")),
        element.getAttribute("name"),
        element.getAttribute("pci_busid").toLowerCase(Locale.ROOT));
    List<Element> inside = objects(element);
    inside.stream().filter(TreeText::memory).forEach(child -> element(child, depth + 1, out));
    inside.stream().filter(TreeText::normal).forEach(child -> element(child, depth + 1, out));
    inside.stream().filter(TreeText::io).forEach(child -> element(child, depth + 1, out));
  }

  private static boolean io(Element element) {
    return IO.contains(element.getAttribute("type"));
  }

  private static boolean memory(Element element) {
    return MEMORY.contains(element.getAttribute("type"));
  }

  private static boolean normal(Element element) {
    return !io(element) && !memory(element) && !element.getAttribute("type").equals("Misc");
  }

  private static List<Element> objects(Element element) {
    List<Element> objects = new ArrayList<>();
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child && child.getTagName().equals("object")) {
        objects.add(child);
      }
    }
    return objects;
  }

  /** {@code 0x00000001,0xf0000000} as {@code 28-32}. */
  static String members(String mask) {
    BigInteger bits = BigInteger.ZERO;
    for (String word : mask.split(",", -1)) {
      String hex = word.replaceFirst("^0x", "");
      bits = bits.shiftLeft(32).or(hex.isEmpty() ? BigInteger.ZERO : new BigInteger(hex, 16));
    }
    List<String> runs = new ArrayList<>();
    for (int at = 0; at < bits.bitLength(); at++) {
      if (bits.testBit(at)) {
        int end = at;
        while (bits.testBit(end + 1)) {
          end++;
        }
        runs.add(end == at ? "" + at : at + "-" + end);
        at = end;
      }
    }
    return String.join(",", runs);
  }

  private static void line(
      StringBuilder out,
      int depth,
      String kind,
      int number,
      String cpus,
      String nodes,
      String name,
      String pci) {
    out.append("  ".repeat(depth)).append(kind);
    append(out, "#", number < 0 ? "" : "" + number);
    append(out, " cpus ", cpus);
    append(out, " nodes ", nodes);
    append(out, " name ", name);
    append(out, " pci ", pci);
    out.append('\n');
  }

  private static void append(StringBuilder out, String what, String value) {
    out.append(value.isEmpty() ? "" : what + value);
  }
}
