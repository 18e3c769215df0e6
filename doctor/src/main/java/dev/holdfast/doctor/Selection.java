package dev.holdfast.doctor;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Nearest;
import dev.holdfast.doctor.check.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Which checks {@code --only} and {@code --skip} leave: full ids, or prefixes such as gpu. */
public final class Selection {
  private Selection() {}

  public static List<Check> of(List<Check> all, List<String> only, List<String> skip) {
    only.forEach(pattern -> requireKnown(all, pattern));
    skip.forEach(pattern -> requireKnown(all, pattern));
    List<Check> chosen = new ArrayList<>();
    for (Check check : all) {
      boolean wanted = only.isEmpty() || matchesAny(check, only);
      if (wanted && !matchesAny(check, skip)) {
        chosen.add(check);
      }
    }
    return chosen;
  }

  private static boolean matchesAny(Check check, List<String> patterns) {
    return patterns.stream().anyMatch(pattern -> matches(check.info().id(), pattern));
  }

  static boolean matches(String id, String pattern) {
    String prefix = pattern.replaceFirst("\\.?\\*?$", "");
    return id.equals(prefix) || id.startsWith(prefix + ".");
  }

  private static void requireKnown(List<Check> all, String pattern) {
    if (all.stream().noneMatch(check -> matches(check.info().id(), pattern))) {
      TreeSet<String> known = new TreeSet<>();
      all.forEach(
          check -> {
            known.add(check.info().id());
            known.add(check.info().group());
          });
      throw new HoldfastException(
          ErrorCode.UNKNOWN_CHECK,
          "no check is called '%s'%s".formatted(pattern, Nearest.hint(pattern, known)));
    }
  }
}
