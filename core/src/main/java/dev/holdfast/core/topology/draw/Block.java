package dev.holdfast.core.topology.draw;

import dev.holdfast.core.draw.Canvas;
import java.util.ArrayList;
import java.util.List;

/** A piece of the picture that knows its size before it knows its place. */
record Block(double width, double height, Painter painter) {
  /** Draws the piece with its left upper corner at a point. */
  @FunctionalInterface
  interface Painter {
    void paint(Canvas canvas, double x, double y);
  }

  void paint(Canvas canvas, double x, double y) {
    painter.paint(canvas, x, y);
  }

  /** Side by side, the upper edges in line. */
  static Block row(double gap, List<Block> blocks) {
    double width = blocks.stream().mapToDouble(Block::width).sum();
    return new Block(
        width + gap * Math.max(0, blocks.size() - 1),
        blocks.stream().mapToDouble(Block::height).max().orElse(0),
        (canvas, x, y) -> {
          double at = x;
          for (Block block : blocks) {
            block.paint(canvas, at, y);
            at += block.width + gap;
          }
        });
  }

  /** One below the other, the left edges in line. */
  static Block column(double gap, List<Block> blocks) {
    double height = blocks.stream().mapToDouble(Block::height).sum();
    return new Block(
        blocks.stream().mapToDouble(Block::width).max().orElse(0),
        height + gap * Math.max(0, blocks.size() - 1),
        (canvas, x, y) -> {
          double at = y;
          for (Block block : blocks) {
            block.paint(canvas, x, at);
            at += block.height + gap;
          }
        });
  }

  /** Rows of blocks in their order, each row in at most {@code room} unless one block is wider. */
  static List<List<Block>> rows(double gap, double room, List<Block> blocks) {
    List<List<Block>> rows = new ArrayList<>();
    List<Block> row = new ArrayList<>();
    double used = 0;
    for (Block block : blocks) {
      if (!row.isEmpty() && used + gap + block.width > room) {
        rows.add(row);
        row = new ArrayList<>();
        used = 0;
      }
      used += (row.isEmpty() ? 0 : gap) + block.width;
      row.add(block);
    }
    if (!row.isEmpty()) {
      rows.add(row);
    }
    return rows;
  }

  /** As many rows as are needed, none much shorter than the others. */
  static List<List<Block>> balanced(double gap, double room, List<Block> blocks) {
    int count = rows(gap, room, blocks).size();
    double widest = blocks.stream().mapToDouble(Block::width).max().orElse(0);
    double narrow = room;
    while (count > 1 && narrow > widest && rows(gap, narrow * 0.95, blocks).size() == count) {
      narrow *= 0.95;
    }
    return rows(gap, narrow, blocks);
  }

  /** Rows that wrap like words. */
  static Block flow(double gap, double room, List<Block> blocks) {
    return column(gap, balanced(gap, room, blocks).stream().map(row -> row(gap, row)).toList());
  }

  Block painted(Painter under) {
    return new Block(
        width,
        height,
        (canvas, x, y) -> {
          under.paint(canvas, x, y);
          painter.paint(canvas, x, y);
        });
  }

  /** With room around it. */
  Block padded(double left, double top, double right, double bottom) {
    return new Block(
        left + width + right,
        top + height + bottom,
        (canvas, x, y) -> painter.paint(canvas, x + left, y + top));
  }

  /** At least this wide and high. */
  Block widened(double least, double leastHeight) {
    return new Block(Math.max(width, least), Math.max(height, leastHeight), painter);
  }
}
