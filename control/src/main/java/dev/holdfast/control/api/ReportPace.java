package dev.holdfast.control.api;

import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * How fast one source may report. An agent that was cut off for days sends all it kept at once; a
 * node in a storm folds what is alike. Both stay far below.
 */
final class ReportPace {
  static final int BURST = 20_000;
  static final int PER_SECOND = 200;

  /** A report is usually shorter; so much more of text counts as another. */
  private static final int BYTES = 4 * 1024;

  /** The nodes of a job are looked at one by one; so many count as another report. */
  private static final int NODES = 512;

  private static final int MOST_SOURCES = 100_000;

  /** How often it is told of one source that it was sent back. */
  private static final long TELL_NANOS = 10_000_000_000L;

  private final ConcurrentMap<String, Left> sources = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Back> back = new ConcurrentHashMap<>();

  /** So many reports were sent back since that was told last. */
  private record Back(long reports, long toldNanos) {}

  private record Left(double reports, long nanos) {
    private Left at(long now) {
      double seconds = (now - nanos) / 1e9;
      return new Left(Math.min(BURST, reports + seconds * PER_SECOND), now);
    }
  }

  /** How many reports a body counts as, by its length and its lines; it is not read. */
  static int cost(String body) {
    int lines = 1;
    for (int at = body.indexOf('\n'); at >= 0; at = body.indexOf('\n', at + 1)) {
      lines++;
    }
    return lines + body.length() / BYTES;
  }

  /** How many reports their nodes count as: few words name a hundred thousand of them. */
  static int cost(List<Report> reports) {
    long nodes = 0;
    for (Report report : reports) {
      if (report.statement() instanceof Statement.JobTold(JobDescription job)) {
        nodes += job.members().size();
      }
    }
    return (int) Math.min(BURST / 2, nodes / NODES);
  }

  /** Counts so many reports; if they are too many, says in how many seconds they are not. */
  OptionalLong spend(String source, int cost, long nanos) {
    if (sources.size() >= MOST_SOURCES) {
      sources.values().removeIf(it -> it.at(nanos).reports() >= BURST);
      back.keySet().retainAll(sources.keySet());
    }
    long[] wait = {0};
    sources.compute(
        source,
        (_, it) -> {
          Left now = (it == null ? new Left(BURST, nanos) : it).at(nanos);
          if (now.reports() < cost) {
            wait[0] = (long) Math.ceil((cost - now.reports()) / PER_SECOND);
            return now;
          }
          return new Left(now.reports() - cost, nanos);
        });
    return wait[0] == 0 ? OptionalLong.empty() : OptionalLong.of(wait[0]);
  }

  /** Counts reports that were sent back; now and then says how many, to be told. */
  OptionalLong sentBack(String source, int cost, long nanos) {
    long[] told = {0};
    back.compute(
        source,
        (_, it) -> {
          long reports = (it == null ? 0 : it.reports()) + cost;
          if (it != null && nanos - it.toldNanos() < TELL_NANOS) {
            return new Back(reports, it.toldNanos());
          }
          told[0] = reports;
          return new Back(0, nanos);
        });
    return told[0] == 0 ? OptionalLong.empty() : OptionalLong.of(told[0]);
  }
}
