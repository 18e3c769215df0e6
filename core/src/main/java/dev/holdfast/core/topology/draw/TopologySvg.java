package dev.holdfast.core.topology.draw;

import dev.holdfast.core.draw.Canvas;
import dev.holdfast.core.draw.Canvas.Pen;
import dev.holdfast.core.draw.Lettering;
import dev.holdfast.core.text.Xml;
import dev.holdfast.core.topology.PartKind;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * The machine as a picture to print, pin up or send: sockets with NUMA nodes and cores above, what
 * hangs from them below, then NVLinks, then tables. The same machine always gives the same bytes.
 */
public final class TopologySvg {
  private static final double ROOM = 1640;
  private static final double MARGIN = 28;
  private static final double GAP = 20;

  private static final String DEFINITIONS =
      """
      <defs>
      <g id="core1"><rect width="11" height="11" rx="1.5" fill="#6d9bcb"/></g>
      <g id="core2"><rect width="11" height="11" rx="1.5" fill="#6d9bcb"/>\
      <path d="M5.5 0V11" stroke="#e8f0f9"/></g>
      <g id="core4"><rect width="11" height="11" rx="1.5" fill="#6d9bcb"/>\
      <path d="M5.5 0V11M0 5.5H11" stroke="#e8f0f9"/></g>
      </defs>
      """;

  private TopologySvg() {}

  public static String write(Topology machine) {
    Sketch sketch = Sketch.of(machine);
    SocketBlocks blocks = new SocketBlocks(machine, ROOM);
    Block sockets = blocks.sockets(sketch.sockets());
    List<Block> below = new ArrayList<>();
    if (!sketch.memory().isEmpty()) {
      List<Block> chips =
          sketch.memory().stream().map(node -> SocketBlocks.memory(node, 170)).toList();
      boolean bare = sketch.memory().stream().allMatch(node -> node.cpus().isEmpty());
      String title = bare ? "Memory without CPUs" : "Memory of no single package";
      below.add(framed(title, Block.flow(8, ROOM - 28, chips)));
    }
    if (!sketch.devices().isEmpty()) {
      String title = "Devices of which no NUMA node is known";
      below.add(framed(title, DeviceBlocks.loose(sketch.devices(), ROOM - 28)));
    }
    List<String> notes = new ArrayList<>(machine.details().notes());
    notes.addAll(sketch.notes());
    boolean cores = machine.levels().stream().anyMatch(TopologySvg::cores);
    Block panels = Block.flow(36, ROOM, new Panels(machine, sketch).all(notes, cores));
    return page(machine, sockets, Block.flow(GAP, ROOM, below), panels);
  }

  private static boolean cores(List<dev.holdfast.core.topology.Part> level) {
    return level.getFirst().kind() == PartKind.CORE;
  }

  private static Block framed(String title, Block content) {
    double wide = Math.max(content.width(), Lettering.width(title, 12 * 1.08));
    return content
        .widened(wide, 0)
        .padded(14, 32, 14, 14)
        .painted(
            (canvas, x, y) -> {
              String dashed = " stroke-dasharray=\"6 4\"";
              double height = content.height() + 46;
              canvas.rect(x, y, wide + 28, height, 8, Palette.LOOSE, 1.2, dashed);
              canvas.text(title, x + 14, y + 20, wide, Pen.bold(12, Palette.MUTED));
            });
  }

  private static String page(Topology machine, Block sockets, Block below, Block panels) {
    Topology.Details details = machine.details();
    String host = details.host().isBlank() ? "Machine" : Labels.clean(details.host(), 64);
    String totals = Totals.of(machine).words();
    String source = "from " + Labels.clean(details.source(), 60);
    double width =
        Math.max(
            Math.max(sockets.width(), 640),
            Math.max(below.width(), Math.min(panels.width(), ROOM)));
    Canvas canvas = new Canvas();
    double y = MARGIN;
    canvas.text(host, MARGIN, y + 20, width - 260, Pen.bold(22, Palette.INK));
    canvas.text(source, MARGIN + width, y + 20, 250, Pen.of(11, Palette.MUTED).end());
    canvas.text(totals, MARGIN, y + 40, width, Pen.of(12.5, Palette.MUTED));
    y += 58;
    sockets.paint(canvas, MARGIN, y);
    y += sockets.height();
    y += new Fabric(machine).paint(canvas, MARGIN, y, sockets.width());
    if (below.height() > 0) {
      y += GAP;
      below.paint(canvas, MARGIN, y);
      y += below.height();
    }
    y += 26;
    canvas.line(MARGIN, y, MARGIN + width, y, "#d5dce4", 1);
    y += 18;
    panels.paint(canvas, MARGIN, y);
    y += panels.height() + MARGIN;
    return document(host + ": " + totals, canvas.content(), width + 2 * MARGIN, y);
  }

  /** Sized for A4 or, when it is large, A3, both landscape. */
  private static String document(String title, String content, double width, double height) {
    boolean large = width > 1100 || height > 780;
    double scale = Math.min((large ? 400 : 277) / width, (large ? 277 : 190) / height);
    return """
        <svg xmlns="http://www.w3.org/2000/svg" role="img" width="%smm" height="%smm"\
         viewBox="0 0 %s %s" font-family="Helvetica Neue, Helvetica, Arial, Liberation Sans,\
         DejaVu Sans, sans-serif">
        <title>%s</title>
        %s<rect width="100%%" height="100%%" fill="#ffffff"/>
        %s</svg>
        """
        .formatted(
            Canvas.show(width * scale),
            Canvas.show(height * scale),
            Canvas.show(width),
            Canvas.show(height),
            Xml.escape(title),
            DEFINITIONS,
            content);
  }
}
