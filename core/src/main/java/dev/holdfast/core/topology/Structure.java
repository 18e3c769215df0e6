package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Leaves out levels that add no structure, as hwloc's "keep structure" filter does. Where two
 * neighbouring levels have as many parts as each other and each part exactly one of the other
 * inside, the one that says less goes; its memory and devices move to the one that stays. The
 * machine and the logical processors always stay, and a core with memory of its own does not melt
 * into its thread.
 *
 * <p>Works on a copy that can change, and builds parts once at the end: machines have many levels.
 */
final class Structure {
  private final List<List<Knot>> levels = new ArrayList<>();
  private final Predicate<PartKind> mayGo;
  private boolean changed;

  /** A part while it may still lose what is around or inside it. */
  private static final class Knot {
    private Part part;
    private List<Knot> children = List.of();
    private List<Part> memory;
    private List<Part> io;

    private Knot(Part part) {
      this.part = part;
      this.memory = part.memory();
      this.io = part.io();
    }

    private Part build() {
      Part.Builder fresh = part.toBuilder().clear().addAll(memory).addAll(io);
      children.forEach(child -> fresh.add(child.build()));
      return fresh.build();
    }
  }

  private Structure(Part root, Predicate<PartKind> mayGo) {
    this.mayGo = mayGo;
    Map<Part, Knot> knots = new IdentityHashMap<>();
    for (List<Part> level : Levels.of(root)) {
      List<Knot> copies = new ArrayList<>(level.size());
      for (Part part : level) {
        Knot knot = new Knot(part);
        knots.put(part, knot);
        copies.add(knot);
      }
      levels.add(copies);
    }
    knots.values().forEach(knot -> knot.children = children(knot.part, knots));
  }

  private static List<Knot> children(Part part, Map<Part, Knot> knots) {
    List<Knot> children = new ArrayList<>(part.children().size());
    for (Part child : part.children()) {
      children.add(knots.get(child));
    }
    return children;
  }

  static Part keep(Part root) {
    return new Structure(root, kind -> kind != PartKind.MACHINE && kind != PartKind.PU).kept(root);
  }

  /** Leaves out groups alone, as hwloc does with every machine it reads. */
  static Part keepGroups(Part root) {
    return hasGroups(root) ? new Structure(root, kind -> kind == PartKind.GROUP).kept(root) : root;
  }

  private static boolean hasGroups(Part part) {
    for (Part child : part.children()) {
      if (child.kind() == PartKind.GROUP || hasGroups(child)) {
        return true;
      }
    }
    return false;
  }

  private Part kept(Part root) {
    for (int i = levels.size() - 1; i > 0; i--) {
      List<Knot> outer = levels.get(i - 1);
      List<Knot> inner = levels.get(i);
      boolean outerMayGo = removable(outer);
      boolean innerMayGo = removable(inner);
      if (outerMayGo && innerMayGo) {
        innerMayGo =
            outer.getFirst().part.kind().priority() >= inner.getFirst().part.kind().priority();
      }
      if ((outerMayGo || innerMayGo) && sameShape(outer, inner)) {
        outer.forEach(innerMayGo ? Structure::swallow : Structure::melt);
        levels.remove(i);
        changed = true;
      }
    }
    return changed ? levels.getFirst().getFirst().build() : root;
  }

  private boolean removable(List<Knot> level) {
    return mayGo.test(level.getFirst().part.kind())
        && level.stream().noneMatch(knot -> knot.part.fact(Part.DO_NOT_MERGE).isPresent());
  }

  private static boolean sameShape(List<Knot> outer, List<Knot> inner) {
    if (outer.size() != inner.size()) {
      return false;
    }
    boolean threads = inner.getFirst().part.kind() == PartKind.PU;
    for (int i = 0; i < outer.size(); i++) {
      Knot knot = outer.get(i);
      boolean one = knot.children.size() == 1 && knot.children.getFirst() == inner.get(i);
      if (!one || threads && !knot.memory.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** The one inside goes. */
  private static void swallow(Knot outer) {
    Knot inner = outer.children.getFirst();
    outer.children = inner.children;
    outer.memory = joined(outer.memory, inner.memory);
    outer.io = joined(outer.io, inner.io);
  }

  /** The one outside goes: it becomes the one inside, so that what is around it need not know. */
  private static void melt(Knot outer) {
    outer.part = outer.children.getFirst().part;
    swallow(outer);
  }

  private static List<Part> joined(List<Part> one, List<Part> other) {
    List<Part> all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }
}
