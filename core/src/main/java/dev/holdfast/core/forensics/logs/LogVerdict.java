package dev.holdfast.core.forensics.logs;

import java.util.List;

/**
 * What the logs of a run tell.
 *
 * @param suspicions why it ended, best first; never empty: the last resort blames nobody and is
 *     {@code UNKNOWN}
 * @param findings what else is worth knowing, worst first
 * @param templates what was said by whom, most telling first
 * @param timeline in the order of corrected time, what matters of it
 * @param clocks how far nodes' clocks are off, by node
 * @param volume what was read and what was not
 */
public record LogVerdict(
    List<LogSuspicion> suspicions,
    List<LogFinding> findings,
    List<LogTemplate> templates,
    List<LogMoment> timeline,
    List<NodeClock> clocks,
    LogVolume volume) {
  public LogVerdict {
    suspicions = List.copyOf(suspicions);
    findings = List.copyOf(findings);
    templates = List.copyOf(templates);
    timeline = List.copyOf(timeline);
    clocks = List.copyOf(clocks);
    if (suspicions.isEmpty()) {
      throw new IllegalArgumentException("a verdict has at least one suspicion");
    }
  }

  /** The best explanation. */
  public LogSuspicion first() {
    return suspicions.getFirst();
  }
}
