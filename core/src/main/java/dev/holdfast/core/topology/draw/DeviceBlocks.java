package dev.holdfast.core.topology.draw;

import dev.holdfast.core.draw.Canvas;
import dev.holdfast.core.draw.Canvas.Area;
import dev.holdfast.core.draw.Canvas.Pen;
import dev.holdfast.core.draw.Lettering;
import dev.holdfast.core.draw.Paint;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Devices and what they hang from. GPUs are large; adapters and drives are small and stand in
 * stacks beside them, so that below a GPU there is room for its NVLinks.
 */
final class DeviceBlocks {
  private static final double GPU_WIDTH = 92;
  private static final double GPU_HEIGHT = 68;
  private static final double SMALL_WIDTH = 92;
  private static final double SMALL_HEIGHT = 31;
  private static final double GAP = 8;
  private static final double RAIL = 10;
  private static final double DROP = 14;
  private static final double BAR = 18;
  private static final double THICK = 2.4;

  private DeviceBlocks() {}

  /**
   * A block with the point at its upper edge that a line from above leads to.
   *
   * @param gpus whether there are GPUs in it
   */
  private record Item(Block block, double port, boolean gpus) {}

  /** What hangs from something: lines from its lower edge down to each. */
  static Block hanging(List<Branch> branches, Link meet, double room) {
    return hanging(branches, meet, room, 0);
  }

  /** The same with lines longer by {@code extra}, to be in line with what hangs beside it. */
  static Block hanging(List<Branch> branches, Link meet, double room, double extra) {
    String colour = Palette.of(meet);
    return hang(items(branches, room - RAIL, colour), colour, room, extra);
  }

  /** The same without lines, for what hangs from nothing known. */
  static Block loose(List<Branch> branches, double room) {
    return Block.flow(
        2 * GAP, room, items(branches, room, "none").stream().map(Item::block).toList());
  }

  private static Block hang(List<Item> items, String colour, double room, double extra) {
    List<List<Item>> rows = rows(items, room - RAIL);
    if (rows.size() <= 1) {
      double drop = DROP + extra;
      return row(items)
          .padded(0, drop, 0, 0)
          .painted((canvas, x, y) -> drops(canvas, items, x, y, y + drop, colour));
    }
    List<Block> parts = new ArrayList<>();
    for (List<Item> own : rows) {
      Block row = row(own);
      double rail = own == rows.getLast() ? 6 : DROP + 6 + row.height();
      parts.add(
          row.padded(RAIL, DROP + 6, 0, 0)
              .painted(
                  (canvas, x, y) -> {
                    canvas.line(x + 3, y, x + 3, y + rail, colour, THICK);
                    double end = drops(canvas, own, x + RAIL, y + 6, y + DROP + 6, colour);
                    canvas.line(x + 3, y + 6, end, y + 6, colour, THICK);
                  }));
    }
    return Block.column(0, parts);
  }

  private static Block row(List<Item> items) {
    return Block.row(GAP, items.stream().map(Item::block).toList());
  }

  /** One row where there is room; else GPUs come last, where nothing is between them and NVLink. */
  private static List<List<Item>> rows(List<Item> items, double room) {
    if (row(items).width() <= room) {
      return List.of(items);
    }
    List<List<Item>> rows = new ArrayList<>();
    for (boolean gpus : new boolean[] {false, true}) {
      List<Item> some = items.stream().filter(item -> item.gpus() == gpus).toList();
      int first = 0;
      for (List<Block> row : Block.balanced(GAP, room, some.stream().map(Item::block).toList())) {
        rows.add(some.subList(first, first + row.size()));
        first += row.size();
      }
    }
    return rows;
  }

  /** Draws a line down to each item and says where the last one is. */
  private static double drops(
      Canvas canvas, List<Item> items, double x, double from, double to, String colour) {
    double at = x;
    double last = x;
    for (Item item : items) {
      last = at + item.port();
      canvas.line(last, from, last, to, colour, THICK);
      at += item.block().width() + GAP;
    }
    return last;
  }

  private static List<Item> items(List<Branch> branches, double room, String colour) {
    List<Item> items = new ArrayList<>();
    List<Block> small = new ArrayList<>();
    for (Branch branch : branches) {
      if (branch.kind() == Branch.Kind.CARD) {
        small.add(card(branch));
      } else if (branch.kind() != Branch.Kind.DEVICE) {
        boolean gpus = branch.devices().stream().anyMatch(DeviceBlocks::isGpu);
        items.add(centred(bar(branch, room), gpus));
      } else if (isGpu(branch.device())) {
        items.add(centred(gpu(branch.device()), true));
      } else {
        small.add(small(branch.device()));
      }
    }
    items.addAll(stacks(small, colour));
    return items;
  }

  private static boolean isGpu(Device device) {
    return device.kind() == Device.Kind.GPU;
  }

  private static Item centred(Block block, boolean gpus) {
    return new Item(block, block.width() / 2, gpus);
  }

  private static Block bar(Branch branch, double room) {
    Block below = hanging(branch.branches(), branch.meet(), room);
    double width = Math.max(below.width(), Lettering.width(branch.label(), 9.5) + 12);
    double left = (width - below.width()) / 2;
    return new Block(
        width,
        BAR + below.height(),
        (canvas, x, y) -> {
          canvas.open(branch.label() + ": what meets here is " + branch.meet().word());
          canvas.rect(x, y, width, BAR, 3, Palette.BRIDGE);
          canvas.text(
              branch.label(),
              x + width / 2,
              y + 12.5,
              width - 8,
              Pen.of(9.5, Palette.MUTED).middle());
          canvas.close();
          canvas.occupy(x, y, width, BAR);
          below.paint(canvas, x + left, y + BAR);
        });
  }

  /** Small ones, two or more above each other on a common line. */
  private static List<Item> stacks(List<Block> small, String colour) {
    List<Item> items = new ArrayList<>();
    double high = small.size() > 8 ? 4 * SMALL_HEIGHT + 3 * 6 : GPU_HEIGHT;
    List<Block> stack = new ArrayList<>();
    double used = 0;
    for (Block block : small) {
      if (!stack.isEmpty() && used + 6 + block.height() > high) {
        items.add(stack(stack, colour));
        stack = new ArrayList<>();
        used = 0;
      }
      used += (stack.isEmpty() ? 0 : 6) + block.height();
      stack.add(block);
    }
    if (!stack.isEmpty()) {
      items.add(stack(stack, colour));
    }
    return items;
  }

  private static Item stack(List<Block> members, String colour) {
    if (members.size() == 1) {
      return centred(members.getFirst(), false);
    }
    Block inner = Block.column(6, members).padded(RAIL, 0, 0, 0);
    return new Item(
        inner.painted(
            (canvas, x, y) -> {
              double at = y;
              for (Block member : members) {
                double middle = at + member.height() / 2;
                canvas.line(x + 2, middle, x + RAIL, middle, colour, THICK);
                at += member.height() + 6;
              }
              double end = inner.height() - members.getLast().height() / 2;
              canvas.line(x + 2, y, x + 2, y + end, colour, THICK);
            }),
        2,
        false);
  }

  /** The ports of one card. */
  private static Block card(Branch branch) {
    List<Block> ports =
        branch.devices().stream()
            .limit(8)
            .map(device -> isGpu(device) ? gpu(device) : small(device))
            .toList();
    Block inner = Block.column(3, ports).padded(4, 4, 4, 4);
    return inner.painted(
        (canvas, x, y) -> {
          canvas.open(branch.label() + ": " + branch.devices().size() + " functions of one card");
          canvas.rect(x, y, inner.width(), inner.height(), 5, Palette.BRIDGE);
          canvas.close();
          canvas.occupy(x, y, inner.width(), inner.height());
        });
  }

  private static Block gpu(Device device) {
    return box(device, GPU_WIDTH, GPU_HEIGHT, 17);
  }

  private static Block small(Device device) {
    return box(device, SMALL_WIDTH, SMALL_HEIGHT, 10.5);
  }

  private static Block box(Device device, double width, double height, double size) {
    Paint paint = Palette.of(device.kind());
    boolean down = Labels.down(device);
    boolean large = isGpu(device);
    String edge = down ? Palette.ALARM : paint.stroke();
    Pen fine = down ? Pen.bold(8.5, Palette.ALARM).middle() : Pen.of(8.5, Palette.MUTED).middle();
    double room = width - 8;
    String name = Labels.name(device);
    double fitting = Lettering.fitting(name, size * 1.08, 8.5, room) / 1.08;
    List<String> more = large ? lines(device, room) : List.of(second(device));
    List<String> shown = more.stream().filter(line -> !line.isEmpty()).toList();
    double step = large ? 13 : 11;
    double first = (height - fitting - step * shown.size()) / 2 + fitting * 0.86;
    return new Block(
        width,
        height,
        (canvas, x, y) -> {
          double middle = x + width / 2;
          canvas.open(tooltip(device));
          canvas.rect(x, y, width, height, large ? 6 : 4, new Paint(paint.fill(), edge));
          canvas.text(name, middle, y + first, room, Pen.bold(fitting, Palette.INK).middle());
          for (int i = 0; i < shown.size(); i++) {
            canvas.text(shown.get(i), middle, y + first + step * (i + 1) + 1, room, fine);
          }
          canvas.close();
          canvas.occupy(x, y, width, height);
          canvas.remember(device.name(), new Area(x, y, width, height));
        });
  }

  /** Below the name of a GPU: its model in at most two lines, then its address. */
  private static List<String> lines(Device device, double room) {
    List<String> lines = new ArrayList<>(Lettering.lines(Labels.model(device), 8.5, room, 2));
    lines.add(Labels.clean(device.pci(), 16));
    return lines;
  }

  /** The line below the name of a small device. */
  private static String second(Device device) {
    if (Labels.down(device)) {
      return Labels.state(device);
    }
    String rate = Labels.rate(device);
    String address = Labels.shortPci(device.pci());
    boolean named = Labels.name(device).equals(Labels.clean(device.pci(), 24));
    if (rate.isEmpty()) {
      return named ? "network adapter" : address;
    }
    String both = named || address.isEmpty() ? rate : rate + " · " + address;
    return Lettering.width(both, 8.5) <= SMALL_WIDTH - 8 ? both : rate;
  }

  private static String tooltip(Device device) {
    return String.join(
        ", ",
        Stream.concat(
                Stream.of(
                    Labels.clean(device.name()),
                    Labels.model(device),
                    Labels.clean(device.pci(), 16),
                    Labels.rate(device),
                    Labels.state(device)),
                Labels.remarks(device).stream())
            .filter(text -> !text.isEmpty())
            .toList());
  }
}
