package dev.holdfast.core.topology;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Leaves out levels that add no structure, as hwloc's "keep structure" filter does. Where two
 * neighbouring levels have as many parts as each other and each part exactly one of the other
 * inside, the one that says less goes; its memory and devices move to the one that stays. The
 * machine and the logical processors always stay, and a core with memory of its own does not melt
 * into its thread.
 */
final class Structure {
  private Structure() {}

  static Part keep(Part root) {
    return keep(root, kind -> kind != PartKind.MACHINE && kind != PartKind.PU);
  }

  /** Leaves out groups alone, as hwloc does with every machine it reads. */
  static Part keepGroups(Part root) {
    return keep(root, kind -> kind == PartKind.GROUP);
  }

  private static Part keep(Part root, Predicate<PartKind> mayGo) {
    Part tree = root;
    List<List<Part>> levels = Levels.of(tree);
    for (int i = levels.size() - 1; i > 0; i--) {
      Part outer = levels.get(i - 1).getFirst();
      Part inner = levels.get(i).getFirst();
      boolean outerMayGo = removable(levels.get(i - 1), mayGo);
      boolean innerMayGo = removable(levels.get(i), mayGo);
      if (outerMayGo && innerMayGo) {
        innerMayGo = outer.kind().priority() >= inner.kind().priority();
        outerMayGo = !innerMayGo;
      }
      if ((outerMayGo || innerMayGo) && sameShape(levels.get(i - 1), levels.get(i))) {
        Set<Part> gone = Collections.newSetFromMap(new IdentityHashMap<>());
        gone.addAll(innerMayGo ? levels.get(i) : levels.get(i - 1));
        tree = without(tree, gone, innerMayGo);
        levels = Levels.of(tree);
      }
    }
    return tree;
  }

  private static boolean removable(List<Part> level, Predicate<PartKind> mayGo) {
    return mayGo.test(level.getFirst().kind())
        && level.stream().noneMatch(part -> part.fact(Part.DO_NOT_MERGE).isPresent());
  }

  private static boolean sameShape(List<Part> outer, List<Part> inner) {
    if (outer.size() != inner.size()) {
      return false;
    }
    boolean threads = inner.getFirst().kind() == PartKind.PU;
    for (int i = 0; i < outer.size(); i++) {
      Part part = outer.get(i);
      boolean one = part.children().size() == 1 && part.children().getFirst() == inner.get(i);
      if (!one || threads && !part.memory().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** The tree without the parts of one level, each of which has one part around or inside it. */
  private static Part without(Part part, Set<Part> level, boolean intoOuter) {
    if (part.kind() == PartKind.PU) {
      return part;
    }
    Part.Builder fresh = part.toBuilder().clear().addAll(part.memory()).addAll(part.io());
    for (Part child : part.children()) {
      if (!level.contains(child)) {
        fresh.add(without(child, level, intoOuter));
      } else if (intoOuter) {
        fresh.addAll(child.memory()).addAll(child.io()).addAll(child.children());
      } else {
        Part heir = child.children().getFirst();
        fresh.add(
            heir.toBuilder()
                .clear()
                .addAll(child.memory())
                .addAll(heir.memory())
                .addAll(child.io())
                .addAll(heir.io())
                .addAll(heir.children())
                .build());
      }
    }
    return fresh.build();
  }
}
