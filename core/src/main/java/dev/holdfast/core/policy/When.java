package dev.holdfast.core.policy;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a rule looks for. Everything that is given must hold.
 *
 * @param checks ids or beginnings such as {@code gpu.ecc.*}; none: any
 * @param classes none: any
 * @param severity at least this
 * @param repeated how often it must have come back
 * @param cause kinds of cause of the incident, such as {@code gpu}, {@code node}, {@code switch},
 *     {@code power}, {@code version}; none: any
 * @param job whether a job must be running there
 * @param offender whether the node must be a repeat offender: one that fails more often than chance
 *     explains
 */
public record When(
    List<String> checks,
    Set<FaultClass> classes,
    Severity severity,
    Optional<Repeated> repeated,
    Set<String> cause,
    JobState job,
    boolean offender) {

  public When(
      List<String> checks,
      Set<FaultClass> classes,
      Severity severity,
      Optional<Repeated> repeated,
      Set<String> cause,
      JobState job) {
    this(checks, classes, severity, repeated, cause, job, false);
  }

  /** So many findings within a time, of the same subject or the same node. */
  public record Repeated(int times, Duration within, boolean wholeNode) {
    public Repeated {
      if (times < 2 || within.isNegative() || within.isZero()) {
        throw new IllegalArgumentException("repeated needs at least 2 times within some time");
      }
    }
  }

  /** What runs on the node. */
  public enum JobState {
    ANY,
    IDLE,
    RUNNING
  }

  public When {
    checks = List.copyOf(checks);
    classes = Set.copyOf(classes);
    cause = Set.copyOf(cause);
  }

  /** Whether what happened before matters too, so that some findings that fit are not enough. */
  public boolean needsHistory() {
    return repeated.isPresent() || offender;
  }

  /** Whether a finding by itself fits; repetition, cause and job are the caller's to know. */
  public boolean fits(Finding finding) {
    return finding.severity().atLeast(severity)
        && (classes.isEmpty() || classes.contains(finding.faultClass()))
        && (checks.isEmpty() || checks.stream().anyMatch(it -> names(it, finding.check())));
  }

  /** Whether a check is meant by its id or the beginning of it. */
  static boolean names(String pattern, String check) {
    return pattern.endsWith("*")
        ? check.startsWith(pattern.substring(0, pattern.length() - 1))
        : pattern.equals(check);
  }
}
