package dev.holdfast.agent.tell;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.report.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Which events are told at once, and which are counted? The first of a kind is told at once; more
 * of it within a while are counted and told together at its end, and the while doubles as long as
 * they keep coming. So a device that logs a thousand lines a second costs a report every few
 * minutes, and another code, another device or a worse severity still passes at once.
 *
 * <p>When even the kinds are too many, the rest is counted by check.
 */
public final class Storms {
  private static final Duration SHORTEST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final int MOST_KINDS = 2_000;
  private static final double BURST = 2_000;
  private static final double PER_SECOND = 50;

  /** What changes from one line to the next of the same kind. */
  private static final Pattern COUNTS =
      Pattern.compile(", \\d+ lines\\b|, last (just now|[0-9a-z .]+ ago)");

  /** Events of a kind within one while. */
  private static final class Kind {
    Finding latest;
    long counted;
    Instant end;
    Duration length;

    Kind(Finding latest, Instant end, Duration length) {
      this.latest = latest;
      this.end = end;
      this.length = length;
    }
  }

  private final Map<String, Kind> kinds = new LinkedHashMap<>();
  private double allowance = BURST;
  private Instant filled = Instant.MIN;

  /** What to say of this event now, if anything. */
  public List<Statement> take(Finding finding, long count, Instant now) {
    String key = key(finding);
    Kind kind = kinds.get(key);
    if (kind != null && (now.isBefore(kind.end) || kind.counted > 0)) {
      kind.latest = finding;
      kind.counted += count;
      return List.of();
    }
    if (!allowed(now)) {
      Kind rest =
          kinds.computeIfAbsent(
              finding.check(), _ -> new Kind(finding, now.plus(SHORTEST), SHORTEST));
      rest.latest = finding;
      rest.counted += count;
      return List.of();
    }
    kinds.put(key, new Kind(finding, now.plus(SHORTEST), SHORTEST));
    return List.of(new Statement.Raised(finding, count));
  }

  private boolean allowed(Instant now) {
    if (!filled.equals(Instant.MIN)) {
      double seconds = Math.max(0, Duration.between(filled, now).toMillis() / 1000.0);
      allowance = Math.min(BURST, allowance + seconds * PER_SECOND);
    }
    filled = now;
    if (allowance < 1 || kinds.size() >= MOST_KINDS) {
      return false;
    }
    allowance--;
    return true;
  }

  /** What is to be said because a while is over. */
  public List<Statement> over(Instant now) {
    List<Statement> said = new ArrayList<>();
    Iterator<Kind> each = kinds.values().iterator();
    while (each.hasNext()) {
      Kind kind = each.next();
      if (now.isBefore(kind.end)) {
        continue;
      }
      if (kind.counted == 0) {
        each.remove();
      } else {
        said.add(new Statement.Raised(kind.latest, kind.counted));
        kind.counted = 0;
        kind.length = kind.length.multipliedBy(2);
        if (kind.length.compareTo(LONGEST) > 0) {
          kind.length = LONGEST;
        }
        kind.end = now.plus(kind.length);
      }
    }
    return said;
  }

  private static String key(Finding finding) {
    return finding.check()
        + " "
        + finding.subject()
        + " "
        + finding.severity()
        + " "
        + COUNTS.matcher(finding.summary()).replaceAll("");
  }
}
