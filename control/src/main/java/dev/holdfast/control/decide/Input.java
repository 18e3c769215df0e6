package dev.holdfast.control.decide;

import dev.holdfast.core.report.Report;
import java.time.Instant;
import java.util.List;

/** Something that happened. */
public sealed interface Input {
  /** A source says something; all of one source, in its order. */
  record Reported(String source, List<Report> reports) implements Input {
    public Reported {
      reports = List.copyOf(reports);
    }
  }

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
