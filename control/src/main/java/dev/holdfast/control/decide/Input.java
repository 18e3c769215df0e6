package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Speaker;
import dev.holdfast.core.report.Report;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Something that happened. */
public sealed interface Input {
  /** A source says something; all of one source, in its order. */
  record Reported(String source, List<Report> reports) implements Input {
    public Reported {
      reports = List.copyOf(reports);
    }
  }

  /** A journal has that a source said this; whether it may was judged then. */
  record Recorded(Report report) implements Input {}

  /** A source said more than it may in a second; so many reports were sent back unread. */
  record Hurried(String source, long count) implements Input {}

  /**
   * A program makes itself known as the one that speaks for a source.
   *
   * @param intruded whether the one that spoke before should not have
   */
  record Introduced(String source, Speaker speaker, boolean intruded) implements Input {}

  /**
   * Another program claims to be a source that somebody speaks for.
   *
   * @param keeps the one that keeps its place, if it is known
   */
  record Claimed(String source, Optional<Speaker> keeps, Speaker other) implements Input {}

  /** Nothing was heard of a node for too long, or something again. */
  record Silence(String node, boolean silent, Instant since) implements Input {}

  /** Time goes on: what waits for a moment is looked at again. */
  record Tick() implements Input {}

  /** The control plane was started with this policy. */
  record Ruled(String yaml) implements Input {}

  /** What was over before that time need not be known any more. */
  record Forget(Instant before) implements Input {}

  /** A person wants something. */
  record Wished(String actor, Wish wish) implements Input {}
}
