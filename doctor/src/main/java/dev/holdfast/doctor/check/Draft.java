package dev.holdfast.doctor.check;

import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A finding being written; it starts from its check's description and is told already. */
public final class Draft {
  private final Subject subject;
  private final Severity severity;
  private final String summary;
  private final List<Evidence> evidence = new ArrayList<>();
  private Finding.Kind kind = Finding.Kind.CONDITION;
  private Optional<Instant> since = Optional.empty();
  private String meaning;
  private String remedy;
  private Proof proof;
  private Optional<Proof> rowProof = Optional.empty();

  Draft(CheckInfo info, Subject subject, Severity severity, String summary) {
    this.subject = subject;
    this.severity = severity;
    this.summary = summary;
    this.proof = info.proof();
    this.meaning = info.meaning();
    this.remedy = info.remedy();
  }

  /** The file or call, and what it said. */
  public Draft evidence(String source, Object value) {
    evidence.add(new Evidence(source, String.valueOf(value)));
    return this;
  }

  /** It happened once, rather than holding on. */
  public Draft event() {
    kind = Finding.Kind.EVENT;
    return this;
  }

  public Draft since(Optional<Instant> time) {
    since = time;
    return this;
  }

  /** It is proven no further than this, whatever the check in general is. */
  public Draft proof(Proof most) {
    proof = proof.compareTo(most) >= 0 ? proof : most;
    return this;
  }

  /** It comes from a row of a table, which is proven so far. */
  public Draft row(Proof row) {
    rowProof = Optional.of(row);
    return this;
  }

  /** Why it hurts, where the general words do not fit. */
  public Draft meaning(String why) {
    meaning = why;
    return this;
  }

  /** What to do about this very thing. */
  public Draft remedy(String what) {
    remedy = what;
    return this;
  }

  Finding finish(CheckInfo info) {
    return new Finding(
        info.id(),
        subject,
        kind,
        severity,
        info.faultClass(),
        proof,
        rowProof,
        summary,
        since,
        evidence,
        meaning,
        remedy);
  }
}
