package dev.holdfast.core.topology.draw;

import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.PartKind;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.core.topology.draw.Canvas.Pen;
import java.util.ArrayList;
import java.util.List;

/** Sockets, NUMA nodes and cores. */
final class CpuBlocks {
  static final double CORE = 11;

  private static final double PITCH = 14;
  private static final int MOST_CORES = 64;
  private static final double CARD_WIDTH = 180;

  /** Room for the name of a processor. */
  private static final double TITLE_ROOM = 420;

  /** Room for words beside the cores. */
  private static final double BESIDE = 230;

  private static final double HIGHEST_BESIDE = 90;

  private static final double MEMORY_HEIGHT = 24;
  private static final double DEVICE_ROOM = 830;

  private final Topology machine;
  private final double room;

  CpuBlocks(Topology machine, double room) {
    this.machine = machine;
    this.room = room;
  }

  /** All sockets, of one size where that leaves them side by side. */
  Block sockets(List<Sketch.Socket> sockets) {
    List<Block> blocks = sockets.stream().map(socket -> socket(socket, 0, 0)).toList();
    double wide = blocks.stream().mapToDouble(Block::width).max().orElse(0);
    if (Block.rows(20, room, blocks).size() == 1 && wide * blocks.size() <= room) {
      List<Block> even = sockets.stream().map(socket -> socket(socket, wide, 0)).toList();
      double high = even.stream().mapToDouble(Block::height).max().orElse(0);
      blocks = sockets.stream().map(socket -> socket(socket, wide, high)).toList();
    }
    return Block.flow(20, room, blocks);
  }

  /** A socket with everything that belongs to it. */
  private Block socket(Sketch.Socket socket, double leastWidth, double leastHeight) {
    boolean known = socket.known();
    List<Block> parts = new ArrayList<>();
    double inner = room - 28;
    if (!socket.memory().isEmpty()) {
      List<Block> chips = socket.memory().stream().map(node -> memory(node, CARD_WIDTH)).toList();
      parts.add(Block.flow(8, inner, chips));
    }
    double title = known ? Math.min(TITLE_ROOM, titleWidth(socket)) : 0;
    double outer = leastWidth - (known ? 28 : 0);
    double least = socket.cards().size() == 1 ? Math.max(outer, title) : 0;
    parts.add(Block.flow(14, inner, cards(socket.cards(), least)));
    if (!socket.devices().isEmpty()) {
      parts.add(title("of no single NUMA node", 9.5));
      parts.add(DeviceBlocks.loose(socket.devices(), inner));
    }
    Block content = Block.column(8, parts);
    if (!known) {
      return content;
    }
    double wide = Math.max(content.width(), Math.max(outer, title));
    double high = Math.max(content.height(), leastHeight - 48);
    return content
        .widened(wide, high)
        .padded(14, 34, 14, 14)
        .painted((canvas, x, y) -> frame(canvas, socket, x, y, wide, high));
  }

  private static double titleWidth(Sketch.Socket socket) {
    return Lettering.width(Labels.socket(socket.part()), 14 * 1.08)
        + 20
        + Lettering.width(Labels.processor(socket.part()), 10);
  }

  private static void frame(
      Canvas canvas, Sketch.Socket socket, double x, double y, double wide, double high) {
    String name = Labels.socket(socket.part());
    String processor = Labels.processor(socket.part());
    canvas.open((name + " " + processor).strip() + ", CPUs " + socket.part().cpus());
    canvas.rect(x, y, wide + 28, high + 48, 10, Palette.SOCKET, 1.6, "");
    canvas.close();
    String shown = Character.toUpperCase(name.charAt(0)) + name.substring(1);
    double used = Lettering.width(shown, 14 * 1.08) + 8;
    canvas.text(shown, x + 14, y + 22, wide, Pen.bold(14, Palette.INK));
    canvas.text(processor, x + 14 + used, y + 22, wide - used, Pen.of(10, Palette.MUTED));
  }

  static Block title(String text, double size) {
    double width = Lettering.width(text, size);
    Pen pen = Pen.of(size, Palette.MUTED);
    return new Block(width, size + 4, (canvas, x, y) -> canvas.text(text, x, y + size, width, pen));
  }

  /** Cards of one height, so that what hangs from them is in line. */
  private List<Block> cards(List<Sketch.Card> cards, double least) {
    double high = cards.stream().mapToDouble(card -> content(card, least).height()).max().orElse(0);
    return cards.stream().map(card -> card(card, least, high)).toList();
  }

  private Block content(Sketch.Card card, double least) {
    double width = Math.max(Math.max(CARD_WIDTH, least), devices(card).width());
    List<Block> parts = new ArrayList<>();
    card.memory().forEach(node -> parts.add(memory(node, width - 20)));
    parts.add(cpus(card.part(), width - 20));
    return Block.column(7, parts).padded(10, 10, 10, 9);
  }

  private Block devices(Sketch.Card card) {
    return card.devices().isEmpty()
        ? new Block(0, 0, (canvas, x, y) -> {})
        : DeviceBlocks.hanging(
            card.devices(),
            Branch.meeting(machine, card.devices()),
            Math.min(DEVICE_ROOM, room - 28));
  }

  private Block card(Sketch.Card card, double least, double leastHeight) {
    Block devices = devices(card);
    Block inner = content(card, least);
    Block content = inner.widened(inner.width(), leastHeight);
    double width = content.width();
    double left = (width - devices.width()) / 2;
    return new Block(
        width,
        content.height() + devices.height(),
        (canvas, x, y) -> {
          canvas.rect(x, y, width, content.height(), 7, Palette.CARD);
          canvas.occupy(x, y, width, content.height());
          content.paint(canvas, x, y);
          devices.paint(canvas, x + left, y + content.height());
        });
  }

  static Block memory(Part node, double width) {
    String name = Labels.numaNode(node);
    String size = Labels.memory(node);
    return new Block(
        width,
        MEMORY_HEIGHT,
        (canvas, x, y) -> {
          canvas.open(name + " " + size + ", CPUs " + node.cpus());
          canvas.rect(x, y, width, MEMORY_HEIGHT, 4, Palette.MEMORY);
          double used = Lettering.width(name, 12 * 1.08);
          canvas.text(name, x + 8, y + 16.5, width - 16, Pen.bold(12, Palette.INK));
          Pen pen = Pen.of(11, Palette.INK).end();
          canvas.text(size, x + width - 8, y + 16.5, width - 24 - used, pen);
          canvas.close();
        });
  }

  private Block cpus(Part part, double width) {
    List<Part> cores = leaves(part, PartKind.CORE);
    List<Part> units = cores.isEmpty() ? leaves(part, PartKind.PU) : cores;
    if (part.cpus().isEmpty()) {
      return lines("its CPUs are not told", width, 1);
    }
    if (units.isEmpty() || units.size() > MOST_CORES) {
      Block summary = summary(part, cores.size(), width);
      return Block.column(5, List.of(summary, column(words(part, cores.isEmpty()), width)));
    }
    List<Block> groups =
        groups(part, units.getFirst().kind()).stream().map(CpuBlocks::group).toList();
    List<String> words = words(part, cores.isEmpty());
    double longest = words.stream().mapToDouble(text -> Lettering.width(text, 9.5)).max().orElse(0);
    double beside = Math.min(BESIDE, 16 + longest);
    Block squares = Block.flow(6, width - beside, groups);
    if (squares.width() + beside <= width && squares.height() <= HIGHEST_BESIDE) {
      return Block.row(14, List.of(squares, column(words, width - squares.width() - 14)));
    }
    return Block.column(5, List.of(Block.flow(6, width, groups), column(words, width)));
  }

  /** What the squares are and which CPUs; without cores one says all. */
  private static List<String> words(Part part, boolean bare) {
    String cpus = Labels.cpus(part.cpus(), 60);
    String phrase =
        CpuPhrase.whole(part).replace(" × ", "\u00a0×\u00a0").replace(" threads", "\u00a0threads");
    return bare
        ? List.of(Labels.plural(part.cpus().count(), "CPU") + ": " + cpus)
        : List.of(phrase, "CPUs " + cpus);
  }

  private static Block column(List<String> words, double width) {
    return Block.column(2, words.stream().map(text -> lines(text, width, 3)).toList());
  }

  private static Block lines(String text, double width, int most) {
    List<String> lines = Lettering.lines(text, 9.5, width, most);
    Pen pen = Pen.of(9.5, Palette.MUTED);
    return new Block(
        width,
        lines.size() * 12.5,
        (canvas, x, y) -> {
          for (int i = 0; i < lines.size(); i++) {
            canvas.text(lines.get(i), x, y + 9.5 + 12.5 * i, width, pen);
          }
        });
  }

  /** One block for more cores than anybody counts. */
  private static Block summary(Part part, int cores, double width) {
    String many =
        cores > 0 ? Labels.plural(cores, "core") : Labels.plural(part.cpus().count(), "CPU");
    return new Block(
        width,
        40,
        (canvas, x, y) -> {
          canvas.open(many + ", CPUs " + part.cpus());
          canvas.rect(x, y, width, 40, 4, Palette.CACHE);
          canvas.text(many, x + width / 2, y + 26, width - 8, Pen.bold(16, "#2f5f94").middle());
          canvas.close();
        });
  }

  /** Cores by the cache they share. */
  private static List<List<Part>> groups(Part part, PartKind unit) {
    List<Part> shared = leaves(part, PartKind.L3_CACHE);
    if (shared.isEmpty()) {
      shared =
          leaves(part, PartKind.L2_CACHE).stream()
              .filter(cache -> leaves(cache, unit).size() > 1)
              .toList();
    }
    List<List<Part>> groups = new ArrayList<>();
    List<Part> left = new ArrayList<>(leaves(part, unit));
    for (Part cache : shared) {
      List<Part> inside = leaves(cache, unit);
      groups.add(inside);
      left.removeAll(inside);
    }
    if (!left.isEmpty()) {
      groups.add(left);
    }
    return groups;
  }

  private static Block group(List<Part> units) {
    int columns = columns(units.size());
    int rows = (units.size() + columns - 1) / columns;
    double width = columns * PITCH - (PITCH - CORE) + 8;
    double height = rows * PITCH - (PITCH - CORE) + 8;
    return new Block(
        width,
        height,
        (canvas, x, y) -> {
          canvas.rect(x, y, width, height, 3, Palette.CACHE, 1, "");
          for (int i = 0; i < units.size(); i++) {
            Part unit = units.get(i);
            int threads = Math.clamp(unit.children().size(), 1, 4);
            String name = unit.kind() == PartKind.CORE ? "core " : "CPU ";
            canvas.use(
                "core" + (threads == 3 ? 2 : threads),
                x + 4 + i % columns * PITCH,
                y + 4 + i / columns * PITCH,
                name + unit.number() + ", CPUs " + unit.cpus());
          }
        });
  }

  /** Full rows where the number allows it. */
  private static int columns(int count) {
    if (count <= 4) {
      return count;
    }
    double root = Math.sqrt(count);
    for (int columns = (int) Math.ceil(1.2 * root); columns <= 3 * root; columns++) {
      if (count % columns == 0) {
        return columns;
      }
    }
    return (int) Math.ceil(1.5 * root);
  }

  private static List<Part> leaves(Part part, PartKind kind) {
    if (part.kind() == kind) {
      return List.of(part);
    }
    List<Part> found = new ArrayList<>();
    part.children().forEach(child -> found.addAll(leaves(child, kind)));
    return found;
  }
}
