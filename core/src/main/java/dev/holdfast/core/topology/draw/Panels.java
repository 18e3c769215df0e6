package dev.holdfast.core.topology.draw;

import dev.holdfast.core.draw.Canvas;
import dev.holdfast.core.draw.Canvas.Pen;
import dev.holdfast.core.draw.Lettering;
import dev.holdfast.core.draw.Paint;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Link;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What stands below the machine: the legend, the distances, the table of links, the notes. */
final class Panels {
  private static final int MOST_COLUMNS = 16;
  private static final int MOST_ROWS = 36;
  private static final int MOST_NODES = 16;
  private static final int MOST_NOTES = 8;
  private static final double CELL = 17;
  private static final double NOTE_WIDTH = 420;

  private final Topology machine;
  private final List<Device> columns;
  private final List<Device> rows;
  private final Set<Link> met = EnumSet.noneOf(Link.class);

  Panels(Topology machine, Sketch sketch) {
    this.machine = machine;
    List<Device> allColumns = Matrices.columns(machine);
    List<Device> allRows = Matrices.rows(machine);
    this.columns = allColumns.subList(0, Math.min(MOST_COLUMNS, allColumns.size()));
    this.rows = allRows.subList(0, Math.min(MOST_ROWS, allRows.size()));
    rows.forEach(row -> columns.forEach(column -> met.add(machine.link(row, column))));
    for (Sketch.Socket socket : sketch.sockets()) {
      for (Sketch.Card card : socket.cards()) {
        card.devices().forEach(this::meets);
        if (card.devices().size() > 1) {
          met.add(Branch.meeting(machine, card.devices()));
        }
      }
      socket.devices().forEach(this::meets);
    }
    sketch.devices().forEach(this::meets);
  }

  private void meets(Branch branch) {
    if (branch.kind() != Branch.Kind.DEVICE) {
      met.add(branch.meet());
      branch.branches().forEach(this::meets);
    }
  }

  List<Block> all(List<String> notes, boolean coresAreDrawn) {
    List<Block> panels = new ArrayList<>();
    if (rows.size() > 1) {
      panels.add(panel(linksTitle(), links()));
    }
    if (Matrices.nodes(machine).size() > 1) {
      panels.add(panel("NUMA distances", distances()));
    }
    panels.add(panel("Legend", legend(coresAreDrawn)));
    if (!notes.isEmpty()) {
      panels.add(panel("Notes", notes(notes)));
    }
    return panels;
  }

  private String linksTitle() {
    int all = Matrices.rows(machine).size();
    int wide = Matrices.columns(machine).size();
    return rows.size() < all || columns.size() < wide
        ? "Links of the first %d × %d of %d × %d".formatted(rows.size(), columns.size(), all, wide)
        : "Links";
  }

  private static Block panel(String title, Block content) {
    double width = Math.max(content.width(), Lettering.width(title, 12 * 1.08));
    return content
        .widened(width, 0)
        .padded(0, 22, 0, 0)
        .painted((canvas, x, y) -> canvas.text(title, x, y + 12, width, Pen.bold(12, Palette.INK)));
  }

  private Block links() {
    double head = widest(rows) + 8;
    double cell = Math.clamp(widest(columns) + 8, 36, 96);
    return new Block(
        head + columns.size() * cell,
        CELL * (rows.size() + 1),
        (canvas, x, y) -> {
          Pen pen = Pen.of(9.5, Palette.MUTED);
          for (int j = 0; j < columns.size(); j++) {
            double middle = x + head + j * cell + cell / 2;
            canvas.text(Labels.unique(columns.get(j)), middle, y + 12, cell - 4, pen.middle());
          }
          for (int i = 0; i < rows.size(); i++) {
            double top = y + CELL * (i + 1);
            canvas.text(Labels.unique(rows.get(i)), x, top + 12, head, pen);
            for (int j = 0; j < columns.size(); j++) {
              cell(canvas, rows.get(i), columns.get(j), x + head + j * cell, top, cell);
            }
          }
        });
  }

  private void cell(Canvas canvas, Device row, Device column, double x, double y, double width) {
    Link link = machine.link(row, column);
    String word = Labels.link(machine, row, column);
    String colour = Palette.of(link);
    canvas.open(Labels.unique(row) + " to " + Labels.unique(column) + ": " + link.meaning());
    Paint paint = new Paint(colour, "none");
    String faint = " fill-opacity=\"%s\"".formatted(link == Link.SELF ? "0.5" : "0.16");
    canvas.rect(x + 1, y + 1, width - 2, CELL - 2, 2, paint, 0, faint);
    if (link != Link.SELF) {
      canvas.text(word, x + width / 2, y + 12, width - 4, Pen.bold(9, colour).middle());
    }
    canvas.close();
  }

  private static double widest(List<Device> devices) {
    return devices.stream()
        .mapToDouble(device -> Lettering.width(Labels.unique(device), 9.5))
        .max()
        .orElse(0);
  }

  private Block distances() {
    List<Integer> all = Matrices.nodes(machine);
    List<Integer> nodes = all.subList(0, Math.min(MOST_NODES, all.size()));
    double cell = 30;
    int far =
        nodes.stream()
            .flatMap(from -> nodes.stream().map(to -> number(from, to)))
            .max(Integer::compare)
            .orElse(10);
    return new Block(
        cell * (nodes.size() + 1),
        CELL * (nodes.size() + 1),
        (canvas, x, y) -> {
          Pen pen = Pen.of(9.5, Palette.MUTED).middle();
          for (int i = 0; i < nodes.size(); i++) {
            double at = (i + 1) * cell + cell / 2;
            canvas.text("" + nodes.get(i), x + at, y + 12, cell - 2, pen);
            canvas.text("" + nodes.get(i), x + cell / 2, y + CELL * (i + 1) + 12, cell - 2, pen);
            for (int j = 0; j < nodes.size(); j++) {
              int from = nodes.get(i);
              int to = nodes.get(j);
              double depth = 0.06 + 0.3 * Math.clamp((number(from, to) - 10.0) / (far - 9), 0, 1);
              double left = x + (j + 1) * cell;
              double top = y + CELL * (i + 1);
              String faint = " fill-opacity=\"" + Math.rint(depth * 100) / 100 + "\"";
              Paint paint = new Paint("#a0703c", "none");
              canvas.rect(left + 1, top + 1, cell - 2, CELL - 2, 2, paint, 0, faint);
              String text = Matrices.distance(machine, from, to);
              Pen dark = Pen.of(9.5, Palette.INK).middle();
              canvas.text(text, left + cell / 2, top + 12, cell - 2, dark);
            }
          }
        });
  }

  private int number(int from, int to) {
    String text = Matrices.distance(machine, from, to);
    return text.isEmpty() ? 10 : Integer.parseInt(text);
  }

  private Block legend(boolean coresAreDrawn) {
    List<Block> entries = new ArrayList<>();
    entries.add(entry(Palette.MEMORY, "NUMA node with its memory"));
    entries.add(
        core(
            coresAreDrawn
                ? "core, in a frame with those it shares a cache with"
                : "CPU; which of them are one core is not told"));
    for (Device.Kind kind : Device.Kind.values()) {
      boolean here = Interfaces.withPlainOnes(machine).stream().anyMatch(d -> d.kind() == kind);
      if (here) {
        entries.add(entry(Palette.of(kind), words(kind)));
      }
    }
    for (Link link : met) {
      if (link != Link.SELF) {
        entries.add(line(link));
      }
    }
    return Block.column(4, entries);
  }

  private static String words(Device.Kind kind) {
    return switch (kind) {
      case GPU -> "GPU or accelerator";
      case NIC -> "RDMA adapter";
      case NVME -> "NVMe drive";
      case OTHER -> "network interface without RDMA";
    };
  }

  private static Block entry(Paint paint, String text) {
    return labelled("", text, (canvas, x, y) -> canvas.rect(x, y, 24, 12, 3, paint));
  }

  private static Block core(String text) {
    return labelled(
        "",
        text,
        (canvas, x, y) -> {
          canvas.rect(x + 4, y - 1, 15, 15, 3, Palette.CACHE, 1, "");
          canvas.use("core1", x + 6, y + 1, text);
        });
  }

  private static Block line(Link link) {
    String word = link == Link.NV ? "NV#" : link.word();
    String meaning = link == Link.NV ? "NVLink, # of them" : link.meaning();
    return labelled(
        word, meaning, (canvas, x, y) -> canvas.line(x, y + 6, x + 24, y + 6, Palette.of(link), 3));
  }

  private static Block labelled(String word, String text, Block.Painter sign) {
    double width = Lettering.width(text, 10);
    double left = word.isEmpty() ? 32 : 72;
    return new Block(
        left + width,
        14,
        (canvas, x, y) -> {
          sign.paint(canvas, x, y);
          canvas.text(word, x + 32, y + 10, 40, Pen.bold(10, Palette.INK));
          canvas.text(text, x + left, y + 10, width, Pen.of(10, Palette.INK));
        });
  }

  private static Block notes(List<String> notes) {
    List<String> lines = new ArrayList<>();
    for (String note : notes.subList(0, Math.min(MOST_NOTES, notes.size()))) {
      List<String> own = Lettering.lines(Labels.clean(note, 300), 10, NOTE_WIDTH - 12, 4);
      for (int i = 0; i < own.size(); i++) {
        lines.add((i == 0 ? "•" : "") + "\t" + own.get(i));
      }
    }
    if (notes.size() > MOST_NOTES) {
      lines.add("•\t%d more; the tree has all".formatted(notes.size() - MOST_NOTES));
    }
    return new Block(
        NOTE_WIDTH,
        lines.size() * 14,
        (canvas, x, y) -> {
          for (int i = 0; i < lines.size(); i++) {
            String[] halves = lines.get(i).split("\t", 2);
            Pen pen = Pen.of(10, Palette.INK);
            canvas.text(halves[0], x, y + 10 + 14 * i, 12, pen);
            canvas.text(halves[1], x + 12, y + 10 + 14 * i, NOTE_WIDTH - 12, pen);
          }
        });
  }
}
