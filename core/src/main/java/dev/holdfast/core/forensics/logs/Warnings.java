package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureRule.Weight;
import java.util.ArrayDeque;
import java.util.List;

/** What programs only warned of: it counts where the run ended and nothing else says why. */
final class Warnings {
  private static final int MOST = 256;

  private final ArrayDeque<Warning> last = new ArrayDeque<>();

  private record Warning(Speaker who, int row, Match.Before line) {}

  void add(Speaker who, int row, Match.Before line) {
    if (last.size() == MOST) {
      last.removeFirst();
    }
    last.add(new Warning(who, row, line));
  }

  /**
   * At the end of the file.
   *
   * @param ended whether anything but an error tells that a process ended
   */
  void settle(List<Speaker> all, boolean ended) {
    List<Match> matches = all.stream().flatMap(speaker -> speaker.matches.stream()).toList();
    boolean cause = matches.stream().anyMatch(match -> match.rule().weight() == Weight.CAUSE);
    if (!cause && (ended || !matches.isEmpty())) {
      last.forEach(one -> one.who.matched(one.row, one.line));
    }
  }
}
