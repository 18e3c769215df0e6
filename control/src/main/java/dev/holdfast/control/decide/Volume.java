package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Ground;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.JobView;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How much may a source have written down? So much in an hour: half of it of jobs, which any user
 * of a node may tell of, and half of all else, so that no user mutes a node. A description that
 * changes is written down ten times at once and then once a second. It is kept in memory only: a
 * control plane that starts again begins to count anew.
 */
final class Volume {
  static final long MOST = 32L << 20;
  static final Duration WINDOW = Duration.ofHours(1);
  static final int DESCRIPTIONS = 10;
  private static final Duration DESCRIPTION = Duration.ofSeconds(1);

  /** What stands around the text of a statement in the journal. */
  private static final int FRAME = 500;

  private static final int RUN = 60;
  private static final int MOST_KEPT = 20_000;

  private final Map<Key, Spent> spent = new HashMap<>();
  private final Map<String, Instant> descriptions = new HashMap<>();

  private record Key(String source, boolean jobs) {}

  private record Spent(Instant since, long characters) {}

  /** What speaks against writing down a statement, if anything. */
  Optional<Objection> objection(Report report, Instant now) {
    if (Schedulers.is(report.source())) {
      return Optional.empty(); // it tells what one cluster has
    }
    boolean jobs = ofJobs(report.statement());
    if (spent(new Key(report.source(), jobs), now).characters() >= MOST) {
      return objection(
          "%s had %,d MiB of %s written down within an hour, which is the most"
              .formatted(report.source(), MOST >> 20, jobs ? "jobs" : "statements"));
    }
    boolean fast =
        report.statement() instanceof Statement.Described
            && descriptions.getOrDefault(report.source(), Instant.MIN).isAfter(now);
    return fast
        ? objection(report.source() + " described itself anew more than once a second")
        : Optional.empty();
  }

  private static Optional<Objection> objection(String why) {
    return Optional.of(new Objection(Ground.TOO_FAST, why));
  }

  /** A statement was written down. */
  void written(Report report, Instant now) {
    Key key = new Key(report.source(), ofJobs(report.statement()));
    Spent before = spent(key, now);
    if (spent.size() >= MOST_KEPT) {
      spent.values().removeIf(it -> over(it, now));
      descriptions.values().removeIf(it -> it.isBefore(now));
    }
    spent.put(key, new Spent(before.since(), before.characters() + length(report.statement())));
    if (report.statement() instanceof Statement.Described) {
      Instant least = now.minus(DESCRIPTION.multipliedBy(DESCRIPTIONS - 1L));
      Instant last = descriptions.getOrDefault(report.source(), least);
      descriptions.put(report.source(), (last.isBefore(least) ? least : last).plus(DESCRIPTION));
    }
  }

  private Spent spent(Key key, Instant now) {
    Spent known = spent.get(key);
    return known == null || over(known, now) ? new Spent(now, 0) : known;
  }

  private static boolean over(Spent spent, Instant now) {
    return !now.isBefore(spent.since().plus(WINDOW)) || now.isBefore(spent.since());
  }

  private static boolean ofJobs(Statement statement) {
    return switch (statement) {
      case Statement.JobTold _,
          Statement.JobStepped _,
          Statement.JobDecided _,
          Statement.JobHere _ ->
          true;
      case Statement.Raised raised -> raised.finding().subject() instanceof Subject.Job;
      case Statement.Cleared cleared -> cleared.subject() instanceof Subject.Job;
      default -> false;
    };
  }

  private static long length(Statement statement) {
    return FRAME
        + switch (statement) {
          case Statement.Raised raised -> FindingView.text(raised.finding());
          case Statement.External external ->
              FindingView.text(external.finding())
                  + external.affects().stream().mapToLong(it -> it.toString().length()).sum();
          case Statement.Described described -> Json.line(described.node().json()).length();
          case Statement.JobTold(JobDescription job) ->
              JobView.text(job) + (long) RUN * job.members().runs().size();
          case Statement.Cleared cleared -> cleared.why().length();
          case Statement.Answered answered -> answered.detail().length();
          default -> 0;
        };
  }
}
