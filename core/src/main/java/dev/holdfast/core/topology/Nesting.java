package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Puts blocks of CPUs into each other: large ones outside, of equal ones the more general kind. A
 * block that crosses a larger one fits nowhere and is left out, as is a group of CPUs that another
 * block stands for already.
 */
final class Nesting {
  private final Frame root;

  /** A part under construction. */
  private static final class Frame {
    final Block block;
    final List<Frame> inner = new ArrayList<>();
    final List<Part> attached = new ArrayList<>();

    Frame(Block block) {
      this.block = block;
    }
  }

  Nesting(IdSet cpus, List<Block> blocks, List<Block> groups, Consumer<String> notes) {
    this.root = new Frame(Block.of(PartKind.MACHINE, -1, cpus));
    List<Block> all = new ArrayList<>();
    List<Block> candidates = new ArrayList<>();
    Set<IdSet> known = new HashSet<>();
    if (groups.stream().noneMatch(group -> group.cpus().isEmpty())) {
      known.add(cpus); // nothing stands beside all CPUs, so that they need no group
    }
    for (Block block : blocks) {
      boolean group = block.kind() == PartKind.GROUP;
      (group ? candidates : all).add(block);
      if (!group) {
        known.add(block.cpus());
      }
    }
    candidates.addAll(groups);
    for (Block group : candidates) {
      boolean fits = all.stream().noneMatch(group::crosses);
      if (fits && !group.cpus().isEmpty() && known.add(group.cpus())) {
        all.add(group);
      }
    }
    all.sort(
        Comparator.comparingInt((Block block) -> -block.cpus().count())
            .thenComparing(Block::kind)
            .thenComparingInt(block -> block.cpus().first()));
    Map<Integer, Frame> innermost = new HashMap<>();
    cpus.stream().forEach(cpu -> innermost.put(cpu, root));
    for (Block block : all) {
      insert(block, innermost, notes);
    }
  }

  private void insert(Block block, Map<Integer, Frame> innermost, Consumer<String> notes) {
    Frame outer = innermost.getOrDefault(block.cpus().first(), root);
    boolean fits = block.cpus().stream().allMatch(cpu -> innermost.get(cpu) == outer);
    boolean twice = block.kind() == outer.block.kind() && block.cpus().equals(outer.block.cpus());
    if (!fits) {
      notes.accept(block + " crosses another part and is left out");
    }
    if (fits && !twice) {
      Frame frame = new Frame(block);
      outer.inner.add(frame);
      block.cpus().stream().forEach(cpu -> innermost.put(cpu, frame));
    }
  }

  /**
   * Attaches memory or a device to the part that has these CPUs: the outermost inside the machine
   * with exactly these, else the smallest with at least these; the machine when there are none.
   * Memory is then local to all CPUs of that part.
   */
  void attach(IdSet cpus, Part part) {
    Frame holder = holder(cpus);
    boolean near = part.kind().memory() && !cpus.isEmpty();
    holder.attached.add(near ? part.toBuilder().cpus(holder.block.cpus()).build() : part);
  }

  private Frame holder(IdSet cpus) {
    Frame at = root;
    while (!cpus.isEmpty()) {
      Frame next = null;
      for (Frame frame : at.inner) {
        if (frame.block.kind() != PartKind.PU && frame.block.cpus().containsAll(cpus)) {
          next = frame;
        }
      }
      if (next == null || at != root && at.block.cpus().equals(cpus)) {
        break;
      }
      at = next;
    }
    return at;
  }

  Part build() {
    return build(root);
  }

  private static Part build(Frame frame) {
    Part.Builder part = frame.block.part();
    frame.inner.sort(Comparator.comparingInt(inner -> inner.block.cpus().first()));
    frame.inner.forEach(inner -> part.add(build(inner)));
    return part.addAll(frame.attached).build();
  }
}
