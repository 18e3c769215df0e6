package dev.holdfast.core.forensics.debug;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a debugger found.
 *
 * @param errors the most frequent first
 * @param total how many the tool counted. −1: it did not say, because it was cut off
 * @param shown how many it wrote down: tools stop writing after a hundred or so, and count on
 * @param remarks what it said of the run itself: a device it cannot work on, a program that failed
 */
public record DebugReport(List<DebugError> errors, long total, long shown, List<String> remarks) {
  private static final int MOST_KINDS = 10_000;
  private static final int MOST_REMARKS = 20;

  public DebugReport {
    errors = List.copyOf(errors);
    remarks = List.copyOf(remarks);
  }

  /** Gathers errors of a report. */
  static final class Tally {
    private final Map<List<String>, DebugError> errors = new LinkedHashMap<>();
    private final List<String> remarks = new ArrayList<>();
    private long shown;

    /** The same error at the same place is counted. */
    void add(DebugError error) {
      shown++;
      List<String> key = List.of(error.what(), error.kernel(), error.place());
      if (errors.size() < MOST_KINDS || errors.containsKey(key)) {
        errors.merge(key, error, (first, next) -> first.times(next.count()));
      }
    }

    void remark(String text) {
      if (remarks.size() < MOST_REMARKS && !remarks.contains(text)) {
        remarks.add(text);
      }
    }

    DebugReport report(long total) {
      List<DebugError> ordered = new ArrayList<>(errors.values());
      ordered.sort(Comparator.comparingLong((DebugError one) -> -one.count()));
      return new DebugReport(ordered, total, shown, remarks);
    }
  }
}
