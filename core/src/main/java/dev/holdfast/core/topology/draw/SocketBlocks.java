package dev.holdfast.core.topology.draw;

import dev.holdfast.core.draw.Canvas;
import dev.holdfast.core.draw.Canvas.Pen;
import dev.holdfast.core.draw.Lettering;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/** Sockets and NUMA nodes, and where their devices hang. */
final class SocketBlocks {
  private static final double CARD_WIDTH = 180;

  /** Room for the name of a processor. */
  private static final double TITLE_ROOM = 420;

  private static final double MEMORY_HEIGHT = 24;
  private static final double DEVICE_ROOM = 830;

  private final Topology machine;
  private final double room;

  SocketBlocks(Topology machine, double room) {
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
    double deep = cards.stream().mapToDouble(card -> devices(card, 0).height()).max().orElse(0);
    return cards.stream().map(card -> card(card, least, high, extra(card, deep))).toList();
  }

  /** How much longer the lines of a card are, so that its GPUs stand beside those of the others. */
  private double extra(Sketch.Card card, double deep) {
    boolean gpus =
        card.devices().stream()
            .flatMap(branch -> branch.devices().stream())
            .anyMatch(device -> device.kind() == Device.Kind.GPU);
    return gpus ? deep - devices(card, 0).height() : 0;
  }

  private Block content(Sketch.Card card, double least) {
    double width = Math.max(Math.max(CARD_WIDTH, least), devices(card, 0).width());
    List<Block> parts = new ArrayList<>();
    card.memory().forEach(node -> parts.add(memory(node, width - 20)));
    parts.add(CoreBlocks.of(card.part(), width - 20));
    return Block.column(7, parts).padded(10, 10, 10, 9);
  }

  private Block devices(Sketch.Card card, double extra) {
    return card.devices().isEmpty()
        ? new Block(0, 0, (canvas, x, y) -> {})
        : DeviceBlocks.hanging(
            card.devices(),
            Branch.meeting(machine, card.devices()),
            Math.min(DEVICE_ROOM, room - 28),
            extra);
  }

  private Block card(Sketch.Card card, double least, double leastHeight, double extra) {
    Block devices = devices(card, extra);
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
}
