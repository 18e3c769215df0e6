package dev.holdfast.doctor.site;

import dev.holdfast.core.health.Severity;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A site's deviation for one check: other limits, a lower severity, or silence. It always carries a
 * reason and an expiry, so that no deviation outlives its cause unseen.
 *
 * @param check a check id, or a prefix ending in {@code .*}
 * @param nodes which nodes it is for
 * @param model the accelerator model it is for; empty for any
 * @param ceiling the worst severity findings may have; {@link Severity#INFO} suppresses
 */
public record SiteOverride(
    String check,
    Predicate<String> nodes,
    String model,
    Map<String, Double> limits,
    Optional<Severity> ceiling,
    String reason,
    LocalDate expires) {
  public SiteOverride {
    limits = Map.copyOf(limits);
    if (reason.isBlank()) {
      throw new IllegalArgumentException("an override of " + check + " needs a reason");
    }
  }

  boolean concerns(String checkId, String node, Iterable<String> models, LocalDate today) {
    boolean sameCheck =
        check.endsWith(".*")
            ? checkId.startsWith(check.substring(0, check.length() - 1))
            : check.equals(checkId);
    return sameCheck && nodes.test(node) && !expires.isBefore(today) && hasModel(models);
  }

  private boolean hasModel(Iterable<String> models) {
    if (model.isEmpty()) {
      return true;
    }
    for (String present : models) {
      if (present.contains(model)) {
        return true;
      }
    }
    return false;
  }
}
