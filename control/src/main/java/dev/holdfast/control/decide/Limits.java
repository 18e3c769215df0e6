package dev.holdfast.control.decide;

import dev.holdfast.control.entry.FindingEntry;
import dev.holdfast.control.entry.Ground;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.control.state.FindingKey;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.JobView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How much of one source is remembered. A node has some hundred parts and checks, and its agent
 * folds storms, so that an honest one stays far below. When there is no room, the oldest of what is
 * over and belongs to no incident is let go; what holds is never, so more is refused, and one
 * finding says so. A scheduler is no source of this kind: it tells what one cluster has.
 */
final class Limits {
  static final int FINDINGS = 5_000;
  static final int INCIDENTS = 2_000;
  static final int OPEN_INCIDENTS = 1_000;
  static final int JOBS = 2_000;
  static final int MEMBERS = 200_000;

  /** Characters, of findings and again of jobs. */
  static final long TEXT = 16L << 20;

  static final String REACHED = "source.limit";

  /** So long after the last refusal it counts as reached. */
  static final Duration REFILL = Duration.ofMinutes(10);

  private Limits() {}

  /** What speaks against one more finding of a source, if anything. */
  static Optional<Objection> objection(Finding finding, String source, Outbox out) {
    Optional<FindingView> known =
        out.state.finding(FindingKey.of(finding)).filter(it -> it.source().equals(source));
    long more = FindingView.text(finding) - known.map(FindingView::text).orElse(0L);
    boolean holds = known.filter(FindingView::holds).isPresent();
    if (free(source) || holds && more <= 0) {
      return Optional.empty();
    }
    if (!holds && out.state.openIncidentCount(source) >= OPEN_INCIDENTS) {
      return objection("%s has %,d open incidents", source, OPEN_INCIDENTS);
    }
    if (fitsFinding(known.isEmpty(), more, source, out)) {
      return Optional.empty();
    }
    if (!out.findingsFull) {
      trim(
          source,
          out.state.toldBy(source).stream()
              .filter(it -> out.state.incident(it.incident()).isEmpty())
              .flatMap(it -> it.over().stream())
              .toList(),
          out);
      out.findingsFull = !fitsFinding(known.isEmpty(), more, source, out);
    }
    return fitsFinding(known.isEmpty(), more, source, out)
        ? Optional.empty()
        : objection(
            "%s has %,d findings that hold or belong to incidents, or %,d characters of them",
            source, FINDINGS, TEXT);
  }

  private static boolean fitsFinding(boolean fresh, long more, String source, Outbox out) {
    return (!fresh || out.state.findingCount(source) < FINDINGS)
        && (more <= 0 || out.state.findingText(source) + more <= TEXT);
  }

  /**
   * Lets the older half of the incidents go that a source opened and that are over, when it has too
   * many.
   */
  static void makeRoom(String source, Outbox out) {
    if (out.state.incidentCount(source) >= INCIDENTS && !out.incidentsFull) {
      trim(
          source,
          out.state.incidents().stream()
              .filter(it -> it.source().equals(source))
              .flatMap(it -> it.closed().stream())
              .toList(),
          out);
      out.incidentsFull = out.state.incidentCount(source) >= INCIDENTS;
    }
  }

  /** What speaks against a job of so many members, if anything. */
  static Optional<Objection> objection(JobDescription job, String source, Outbox out) {
    Optional<JobView> known = out.state.job(job.job()).filter(it -> it.source().equals(source));
    int members = job.members().size() - known.map(it -> it.job().members().size()).orElse(0);
    long text = JobView.text(job) - known.map(JobView::text).orElse(0L);
    if (free(source) || fitsJob(known.isEmpty(), members, text, source, out)) {
      return Optional.empty();
    }
    if (!out.jobsFull) {
      trim(
          source,
          out.state.jobs().stream()
              .filter(it -> it.source().equals(source) && it.job().state().over())
              .map(JobView::told)
              .toList(),
          out);
      out.jobsFull = !fitsJob(known.isEmpty(), members, text, source, out);
    }
    return fitsJob(known.isEmpty(), members, text, source, out)
        ? Optional.empty()
        : objection(
            "%s has %,d jobs, %,d members of jobs, or %,d characters of them",
            source, JOBS, MEMBERS, TEXT);
  }

  private static boolean fitsJob(boolean fresh, int members, long text, String source, Outbox out) {
    return (!fresh || out.state.jobCount(source) < JOBS)
        && (members <= 0 || out.state.memberCount(source) + members <= MEMBERS)
        && (text <= 0 || out.state.jobText(source) + text <= TEXT);
  }

  private static boolean free(String source) {
    return Schedulers.is(source) || source.equals(Decider.SELF);
  }

  private static Optional<Objection> objection(String why, Object... about) {
    return Optional.of(new Objection(Ground.TOO_MANY, why.formatted(about)));
  }

  /** Lets the older half go, so that this is not done for each. */
  private static void trim(String source, List<Instant> over, Outbox out) {
    if (!over.isEmpty()) {
      Instant middle = over.stream().sorted().toList().get(over.size() / 2);
      out.add(new SourceEntry.Trimmed(source, middle));
    }
  }

  /** Says that a source reached a limit. */
  static void reached(String source, long count, String why, Outbox out) {
    Subject subject = subject(source);
    long before =
        out.state
            .finding(new FindingKey(REACHED, subject))
            .filter(FindingView::holds)
            .map(FindingView::times)
            .orElse(0L);
    notice(
        REACHED,
        subject,
        "%s says more than is taken in; %,d statements were refused so far"
            .formatted(source, before + count),
        List.of(new Evidence("limit", why)),
        "What was refused is not known here.",
        "See what it repeats; a node that does this is broken, or somebody has its token: holdfast token reset-node.",
        count,
        REFILL,
        out);
  }

  /** Where a person looks for what is wrong with a source. */
  static Subject subject(String source) {
    return source.startsWith("node/")
        ? new Subject.Node(source.substring("node/".length()))
        : new Subject.Source(source);
  }

  /** A warning of our own that is over by itself, and about which nothing is decided. */
  static void notice(
      String check,
      Subject subject,
      String summary,
      List<Evidence> evidence,
      String meaning,
      String remedy,
      long count,
      Duration counts,
      Outbox out) {
    Finding finding =
        new Finding(
            check,
            subject,
            Finding.Kind.CONDITION,
            Severity.WARNING,
            FaultClass.CONFIGURATION,
            Proof.RECORDED,
            summary,
            Optional.empty(),
            evidence,
            meaning,
            remedy);
    out.add(
        new FindingEntry.Raised(
            finding,
            Decider.SELF,
            count,
            out.now,
            "",
            List.of(),
            Optional.of(out.now.plus(counts))));
  }
}
