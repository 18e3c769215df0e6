package dev.holdfast.core.topology.draw;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.PartKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Says in few words what CPUs a part has: parts that are alike are told once, {@code 8 × L3 32 MiB,
 * each 8 cores × 2 threads}. Caches that one core has for itself are left out.
 *
 * @param text what they are
 * @param cpus all their CPUs
 */
record CpuPhrase(String text, IdSet cpus) {
  /** One phrase for each sort of inner parts. */
  static List<CpuPhrase> of(Part part) {
    List<Part> parts = part.kind().cache() ? List.of(part) : inside(part);
    List<CpuPhrase> phrases = new ArrayList<>();
    alike(parts)
        .forEach(
            (one, members) ->
                phrases.add(
                    new CpuPhrase(
                        counted(members.getFirst(), members.size()),
                        IdSet.union(members.stream().map(Part::cpus).toList()))));
    if (phrases.isEmpty() && !part.cpus().isEmpty()) {
      phrases.add(new CpuPhrase(Labels.plural(part.cpus().count(), "CPU"), part.cpus()));
    }
    return phrases;
  }

  /** Everything in one phrase. */
  static String whole(Part part) {
    return of(part).stream().map(CpuPhrase::text).collect(Collectors.joining(" + "));
  }

  private static Map<String, List<Part>> alike(List<Part> parts) {
    Map<String, List<Part>> groups = new LinkedHashMap<>();
    for (Part part : parts) {
      Part telling = telling(part);
      groups.computeIfAbsent(counted(telling, 1), _ -> new ArrayList<>()).add(telling);
    }
    return groups;
  }

  /** Steps over parts that add nothing: around one other part, or a cache of one core. */
  private static Part telling(Part part) {
    Part at = part;
    while (at.children().size() == 1 && wraps(at.kind())) {
      at = at.children().getFirst();
    }
    return at;
  }

  /** What is in a part, without one wrapping in between that holds all of it. */
  private static List<Part> inside(Part part) {
    List<Part> parts = part.children();
    while (parts.size() == 1
        && (wraps(parts.getFirst().kind()) || parts.getFirst().kind() == PartKind.PACKAGE)) {
      parts = parts.getFirst().children();
    }
    return parts;
  }

  private static boolean wraps(PartKind kind) {
    return switch (kind) {
      case GROUP, DIE, L2_CACHE, L2_INSTRUCTION_CACHE, L1_CACHE, L1_INSTRUCTION_CACHE -> true;
      default -> false;
    };
  }

  private static String counted(Part part, int count) {
    return switch (part.kind()) {
      case PU -> Labels.plural(count, "CPU");
      case CORE -> {
        int threads = part.children().size();
        yield Labels.plural(count, "core") + (threads > 1 ? " × " + threads + " threads" : "");
      }
      default -> {
        String inner =
            alike(inside(part)).values().stream()
                .map(members -> counted(members.getFirst(), members.size()))
                .collect(Collectors.joining(" + "));
        String label = label(part);
        String outer = count == 1 ? label : count + " × " + label;
        yield inner.isEmpty() ? outer : outer + (count == 1 ? ", " : ", each ") + inner;
      }
    };
  }

  private static String label(Part part) {
    if (part.kind().cache()) {
      String level = part.kind().hwlocName().replace("Cache", "");
      return part.amount(Part.CACHE_BYTES).stream()
          .filter(bytes -> bytes > 0)
          .mapToObj(bytes -> level + " " + Bytes.of(bytes))
          .findFirst()
          .orElse(level);
    }
    return switch (part.kind()) {
      case PACKAGE -> "package";
      case DIE -> "die";
      default -> "group";
    };
  }
}
