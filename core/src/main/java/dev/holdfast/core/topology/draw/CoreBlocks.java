package dev.holdfast.core.topology.draw;

import dev.holdfast.core.draw.Canvas.Pen;
import dev.holdfast.core.draw.Lettering;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.PartKind;
import java.util.ArrayList;
import java.util.List;

/** Cores as small squares, those that share a cache in one frame, and what they are in words. */
final class CoreBlocks {
  private static final double CORE = 11;
  private static final double PITCH = 14;
  private static final int MOST_CORES = 64;

  /** Room for words beside the cores. */
  private static final double BESIDE = 230;

  private static final double HIGHEST_BESIDE = 90;

  private CoreBlocks() {}

  /** The CPUs of a part in so much width. */
  static Block of(Part part, double width) {
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
        groups(part, units.getFirst().kind()).stream().map(CoreBlocks::squares).toList();
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

  /**
   * Cores that belong together.
   *
   * @param sharing whether they are known to share a cache
   */
  private record Group(List<Part> units, boolean sharing) {}

  /** Cores by the cache they share. */
  private static List<Group> groups(Part part, PartKind unit) {
    List<Part> shared = leaves(part, PartKind.L3_CACHE);
    if (shared.isEmpty()) {
      shared =
          leaves(part, PartKind.L2_CACHE).stream()
              .filter(cache -> leaves(cache, unit).size() > 1)
              .toList();
    }
    List<Group> groups = new ArrayList<>();
    List<Part> left = new ArrayList<>(leaves(part, unit));
    for (Part cache : shared) {
      List<Part> inside = leaves(cache, unit);
      groups.add(new Group(inside, true));
      left.removeAll(inside);
    }
    if (!left.isEmpty()) {
      groups.add(new Group(left, false));
    }
    return groups;
  }

  private static Block squares(Group group) {
    List<Part> units = group.units();
    int columns = columns(units.size());
    int rows = (units.size() + columns - 1) / columns;
    double width = columns * PITCH - (PITCH - CORE) + 8;
    double height = rows * PITCH - (PITCH - CORE) + 8;
    return new Block(
        width,
        height,
        (canvas, x, y) -> {
          if (group.sharing()) {
            canvas.rect(x, y, width, height, 3, Palette.CACHE, 1, "");
          }
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
