package dev.holdfast.core.topology.draw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.draw.Lettering;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.testing.Golden;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The picture: well-formed, the same every time, and no text outside of its box. */
class TopologySvgTest {
  @Test
  void aMachineWithTwoSockets() {
    Golden.verify(
        Samples.FOLDER.resolve("two-sockets.svg"), TopologySvg.write(Samples.twoSockets()));
  }

  @Test
  void oneBandForGpusThatAllReachEachOther() {
    String picture = TopologySvg.write(Samples.fourGpus());
    assertThat(picture).contains("NVLink between all 4 GPUs, NV12 for each pair");
    Golden.verify(Samples.FOLDER.resolve("four-gpus.svg"), picture);
  }

  @Test
  void theSameMachineGivesTheSamePicture() {
    assertThat(TopologySvg.write(Samples.twoSockets()))
        .isEqualTo(TopologySvg.write(Samples.twoSockets()));
  }

  @Test
  void ourOwnMachinesAreDrawnCleanly() throws Exception {
    assertClean("two sockets", Samples.twoSockets());
    assertClean("four GPUs", Samples.fourGpus());
    assertClean("512 cores", Samples.large(2, 8));
    assertClean("one node", Samples.large(1, 1));
    assertClean("condensed", Samples.twoSockets().condensed());
  }

  @Test
  void recordedMachinesAreDrawnCleanly() throws Exception {
    for (Map.Entry<String, Topology> machine : Samples.shared().entrySet()) {
      assertClean(machine.getKey(), machine.getValue());
    }
  }

  @Test
  void hostileNamesStayText() throws Exception {
    assertClean("hostile", Samples.hostile());
    Document picture = parse(TopologySvg.write(Samples.hostile()));
    assertThat(picture.getElementsByTagName("script").getLength()).isZero();
    assertThat(picture.getElementsByTagName("text").getLength()).isGreaterThan(10);
  }

  @Test
  void aMachineOfManyThousandPartsIsBounded() {
    assertThat(TopologySvg.write(Samples.large(100, 2))).hasSizeLessThan(2_000_000);
  }

  private static void assertClean(String name, Topology machine) throws Exception {
    Document picture = parse(TopologySvg.write(machine));
    List<Box> boxes = new ArrayList<>();
    NodeList groups = picture.getElementsByTagName("g");
    for (int i = 0; i < groups.getLength(); i++) {
      Element group = (Element) groups.item(i);
      List<Element> rects = children(group, "rect");
      if (!rects.isEmpty() && !group.hasAttribute("id")) {
        Box box = Box.of(rects.getFirst());
        boxes.add(box);
        for (Element text : children(group, "text")) {
          assertThat(box.holds(Box.ofText(text)))
              .as(name + ": '" + text.getTextContent() + "' in " + box)
              .isTrue();
        }
      }
    }
    assertThat(boxes).as(name).isNotEmpty();
    for (Box one : boxes) {
      for (Box other : boxes) {
        assertThat(one.apart(other) || one.holds(other) || other.holds(one))
            .as(name + ": " + one + " and " + other)
            .isTrue();
      }
    }
    assertOnPaper(name, picture);
  }

  private static void assertOnPaper(String name, Document picture) {
    String[] view = picture.getDocumentElement().getAttribute("viewBox").split(" ");
    Box paper = new Box(0, 0, Double.parseDouble(view[2]), Double.parseDouble(view[3]));
    NodeList texts = picture.getElementsByTagName("text");
    List<Box> lines = new ArrayList<>();
    for (int i = 0; i < texts.getLength(); i++) {
      Box line = Box.ofText((Element) texts.item(i));
      assertThat(paper.holds(line)).as(name + ": " + texts.item(i).getTextContent()).isTrue();
      for (Box other : lines) {
        assertThat(line.apart(other))
            .as(name + ": '" + texts.item(i).getTextContent() + "' lies over another text")
            .isTrue();
      }
      lines.add(line);
    }
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  private static Document parse(String text) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
  }

  /** A rectangle on the paper. */
  private record Box(double x, double y, double right, double bottom) {
    static Box of(Element rect) {
      double x = number(rect, "x");
      double y = number(rect, "y");
      return new Box(x, y, x + number(rect, "width"), y + number(rect, "height"));
    }

    /** Where a text is, its letters taken as wide as the picture takes them. */
    static Box ofText(Element text) {
      double size = number(text, "font-size");
      boolean bold = text.getAttribute("font-weight").equals("bold");
      double width = Lettering.width(text.getTextContent(), size * (bold ? 1.08 : 1));
      double at = number(text, "x");
      double left =
          switch (text.getAttribute("text-anchor")) {
            case "middle" -> at - width / 2;
            case "end" -> at - width;
            default -> at;
          };
      double base = number(text, "y");
      return new Box(left, base - size * 0.74, left + width, base + size * 0.2);
    }

    private static double number(Element element, String attribute) {
      return Double.parseDouble(element.getAttribute(attribute));
    }

    boolean holds(Box other) {
      return other.x >= x - 0.2
          && other.y >= y - 0.2
          && other.right <= right + 0.2
          && other.bottom <= bottom + 0.2;
    }

    boolean apart(Box other) {
      return other.x >= right - 0.2
          || x >= other.right - 0.2
          || other.y >= bottom - 0.2
          || y >= other.bottom - 0.2;
    }
  }
}
