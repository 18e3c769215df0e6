package dev.holdfast.core.policy;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Severity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One kind of finding a rule can meet, all that rules tell apart but repetition. There are finitely
 * many: every check known has its class; whatever else may report (site checks, faults told from
 * outside, checks of later versions) is stood for by one made-up check under each beginning that a
 * rule names, and one under none, of any class.
 *
 * @param listed whether the check is one of those known
 */
record Situation(
    String check,
    boolean listed,
    FaultClass faultClass,
    Severity severity,
    boolean busy,
    String cause) {
  /** What no id contains. */
  private static final String ANY = "\u2026";

  static List<Situation> all(Policy policy, Collection<KnownCheck> known) {
    Set<String> causes = new LinkedHashSet<>(List.of("node"));
    policy.rules().forEach(it -> causes.addAll(it.when().cause()));
    causes.add(ANY);
    List<Situation> all = new ArrayList<>();
    for (KnownCheck check : known) {
      add(all, check.id(), true, check.faultClass(), causes);
    }
    for (String check : others(policy, known)) {
      for (FaultClass faultClass : FaultClass.values()) {
        add(all, check, false, faultClass, causes);
      }
    }
    return all;
  }

  private static Set<String> others(Policy policy, Collection<KnownCheck> known) {
    Set<String> checks = new LinkedHashSet<>();
    for (Rule rule : policy.rules()) {
      for (String pattern : rule.when().checks()) {
        checks.add(
            pattern.endsWith("*") ? pattern.substring(0, pattern.length() - 1) + ANY : pattern);
      }
    }
    known.forEach(it -> checks.remove(it.id()));
    checks.add(ANY);
    return checks;
  }

  private static void add(
      List<Situation> all, String check, boolean listed, FaultClass of, Set<String> causes) {
    for (Severity severity : Severity.values()) {
      for (String cause : causes) {
        all.add(new Situation(check, listed, of, severity, false, cause));
        all.add(new Situation(check, listed, of, severity, true, cause));
      }
    }
  }

  /** Whether a rule fits, if the finding came back often enough for it. */
  boolean meets(When when) {
    return severity.atLeast(when.severity())
        && (when.classes().isEmpty() || when.classes().contains(faultClass))
        && (when.checks().isEmpty() || when.checks().stream().anyMatch(it -> When.names(it, check)))
        && (when.cause().isEmpty() || when.cause().contains(cause))
        && (when.job() == When.JobState.ANY || busy == (when.job() == When.JobState.RUNNING));
  }

  /** Whether it stands for checks nobody has named. */
  boolean anyCheck() {
    return check.equals(ANY);
  }

  /** Whether its cause is within one node, so that something may be done about it there. */
  boolean near() {
    return !Reach.wide(cause);
  }
}
