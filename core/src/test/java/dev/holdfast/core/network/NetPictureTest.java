package dev.holdfast.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.draw.Lettering;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The picture of results: everything is in it, nothing covers anything else. */
class NetPictureTest {
  private static final List<String> PRINT =
      List.of("Measured by holdfast on n1.", "Conditions: " + "kernel 6.18; mtu 9000; ".repeat(30));

  /** A place that a text takes. */
  private record Box(String text, double left, double top, double right, double bottom) {
    boolean meets(Box other) {
      return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
  }

  private static List<NetResult> sweep(
      Collective collective, String variant, int ranks, long from, long to, int rounds) {
    Random random = new Random(from + rounds);
    List<NetResult> results = new ArrayList<>();
    for (long bytes = from; bytes <= to; bytes *= 2) {
      double[] seconds = new double[rounds];
      for (int i = 0; i < rounds; i++) {
        seconds[i] = (5e-6 + bytes / 4e9) * (1 + 0.3 * random.nextDouble());
      }
      double most = 3 * seconds[0];
      results.add(
          NetResult.of(
              collective,
              variant,
              bytes,
              ranks,
              "float",
              Latency.of(seconds[0], seconds[0], most),
              0,
              seconds));
    }
    return results;
  }

  private static Map<String, List<NetResult>> both() {
    List<NetResult> all =
        new ArrayList<>(sweep(Collective.ALL_REDUCE, "tcp doubling", 2, 1024, 65536, 6));
    all.addAll(sweep(Collective.ALL_REDUCE, "tcp ring", 2, 131072, 256 << 20, 6));
    return Map.of("one", all);
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static List<Box> texts(Document picture) {
    List<Box> boxes = new ArrayList<>();
    NodeList nodes = picture.getElementsByTagName("text");
    for (int i = 0; i < nodes.getLength(); i++) {
      Element text = (Element) nodes.item(i);
      double size = Double.parseDouble(text.getAttribute("font-size"));
      double bold = text.getAttribute("font-weight").equals("bold") ? 1.08 : 1;
      double width = Lettering.width(text.getTextContent(), size * bold);
      double x = Double.parseDouble(text.getAttribute("x"));
      double y = Double.parseDouble(text.getAttribute("y"));
      double left =
          switch (text.getAttribute("text-anchor")) {
            case "middle" -> x - width / 2;
            case "end" -> x - width;
            default -> x;
          };
      boxes.add(
          new Box(text.getTextContent(), left, y - 0.8 * size, left + width, y + 0.25 * size));
    }
    return boxes;
  }

  private static void requireNoTextOverAnother(String svg) throws Exception {
    Document picture = parsed(svg);
    double width = Double.parseDouble(picture.getDocumentElement().getAttribute("width"));
    double height = Double.parseDouble(picture.getDocumentElement().getAttribute("height"));
    List<Box> boxes = texts(picture);
    for (int i = 0; i < boxes.size(); i++) {
      Box one = boxes.get(i);
      assertThat(one.left() >= 0 && one.right() <= width && one.bottom() <= height)
          .as("%s is on the paper", one)
          .isTrue();
      for (Box other : boxes.subList(i + 1, boxes.size())) {
        assertThat(one.meets(other)).as("%s and %s", one, other).isFalse();
      }
    }
  }

  @Test
  void bandwidthAndSmallCallsAreBothThere() throws Exception {
    String svg = new NetPicture("all_reduce, 2 ranks", NetLine.of(both()), PRINT).svg();
    List<String> texts = texts(parsed(svg)).stream().map(Box::text).toList();
    assertThat(texts)
        .contains("all_reduce, 2 ranks", "Bus bandwidth", "Time of small calls")
        .contains("tcp doubling", "tcp ring")
        .contains("Measured by holdfast on n1.")
        .anyMatch(
            it -> it.startsWith("best: ") && it.contains("holds the median of rounds with 96 %"));
    requireNoTextOverAnother(svg);
  }

  @Test
  void noTextCoversAnotherHoweverMuchThereIs() throws Exception {
    Map<String, List<NetResult>> runs = new LinkedHashMap<>();
    for (int i = 0; i < 9; i++) {
      runs.put(
          "a run with quite a long name, number " + i,
          sweep(Collective.ALL_TO_ALL, "unix pairwise", 2 + i, 8, 1L << 34, 2 + i));
    }
    requireNoTextOverAnother(new NetPicture("many", NetLine.of(runs), PRINT).svg());
    Map<String, List<NetResult>> one =
        Map.of("x", sweep(Collective.BROADCAST, "", 4, 4096, 4096, 1));
    requireNoTextOverAnother(new NetPicture("one", NetLine.of(one), List.of()).svg());
    Map<String, List<NetResult>> large =
        Map.of("x", sweep(Collective.BROADCAST, "", 4, 1L << 30, 1L << 33, 1));
    requireNoTextOverAnother(new NetPicture("large", NetLine.of(large), List.of()).svg());
    Map<String, List<NetResult>> pair =
        Map.of("x", sweep(Collective.LATENCY, "shm direct", 2, 8, 4 << 20, 3));
    requireNoTextOverAnother(new NetPicture("latency", NetLine.of(pair), List.of()).svg());
  }

  @Test
  void linesAreNamedByWhatTellsThemApart() {
    assertThat(NetLine.of(both()))
        .extracting(NetLine::name)
        .containsExactly("tcp doubling", "tcp ring");
    Map<String, List<NetResult>> runs = new LinkedHashMap<>();
    runs.put("before", sweep(Collective.ALL_REDUCE, "tcp ring", 2, 1024, 2048, 1));
    runs.put("after", sweep(Collective.ALL_REDUCE, "tcp ring", 2, 1024, 2048, 1));
    assertThat(NetLine.of(runs)).extracting(NetLine::name).containsExactly("before", "after");
    List<NetLine> parts = NetLine.of(both());
    assertThat(parts.getLast().continues(parts.getFirst())).isTrue();
    assertThat(parts.getFirst().continues(parts.getLast())).isFalse();
  }

  @Test
  void theSameResultsGiveTheSameBytesAndNamesAreEscaped() {
    String once = new NetPicture("<&>", NetLine.of(both()), PRINT).svg();
    assertThat(once).isEqualTo(new NetPicture("<&>", NetLine.of(both()), PRINT).svg());
    assertThat(once).contains("&lt;&amp;&gt;").doesNotContain("<&>");
  }

  @Test
  void whatHasNoSizeIsNotDrawn() {
    NetResult barrier = NetResult.of(Collective.BARRIER, "", 0, 2, "", Latency.of(1e-5), 0, 1e-5);
    assertThatThrownBy(
            () -> new NetPicture("x", NetLine.of(Map.of("x", List.of(barrier))), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nothing to draw");
  }
}
