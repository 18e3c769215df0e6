package dev.holdfast.doctor.site;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.check.Limit;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the site says of its nodes.
 *
 * @param expectation what its nodes consist of, from {@code --expect}
 */
public record Site(Expectation expectation, List<SiteOverride> overrides, LocalDate today) {
  public Site {
    overrides = List.copyOf(overrides);
  }

  /** A site that expects these values of these facts. */
  public Site(Map<String, String> expected, List<SiteOverride> overrides, LocalDate today) {
    this(Expectation.of(expected), overrides, today);
  }

  public static Site none(LocalDate today) {
    return new Site(Expectation.NONE, List.of(), today);
  }

  /** The one value expected of a fact; empty when there is none, or a choice or a range. */
  public Optional<String> expected(String fact) {
    return requirement(fact).flatMap(Requirement::single);
  }

  /** What is expected of a fact, in whatever form. */
  public Optional<Requirement> requirement(String fact) {
    return Optional.ofNullable(expectation.requirements().get(fact));
  }

  public double limit(String checkId, String node, Accelerators accelerators, Limit limit) {
    for (SiteOverride entry : overrides) {
      Double value = entry.limits().get(limit.name());
      if (value != null && entry.concerns(checkId, node, accelerators.models(), today)) {
        return value;
      }
    }
    return limit.value();
  }

  /** The override that lowers or silences this finding, if there is one. */
  public Optional<SiteOverride> softening(Finding finding, String node, Accelerators present) {
    return overrides.stream()
        .filter(entry -> entry.ceiling().map(finding.severity()::compareTo).orElse(0) > 0)
        .filter(entry -> entry.concerns(finding.check(), node, present.models(), today))
        .findFirst();
  }

  /** The finding with the severity the override allows. */
  public static Finding soften(Finding finding, SiteOverride entry) {
    Severity ceiling = entry.ceiling().orElse(finding.severity());
    return new Finding(
        finding.check(),
        finding.subject(),
        finding.kind(),
        ceiling,
        finding.faultClass(),
        finding.proof(),
        finding.rowProof(),
        finding.summary()
            + " (site override until "
            + entry.expires()
            + ": "
            + entry.reason()
            + ")",
        finding.since(),
        finding.evidence(),
        finding.meaning(),
        finding.remedy());
  }
}
