package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Latency;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.text.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Which rows were not taken, and why? A row that was cut off or makes no sense must not become a
 * figure, and must not vanish without a word either.
 */
final class LeftOut {
  /** More than these are only counted. */
  private static final int NAMED = 5;

  private final List<String> named = new ArrayList<>();
  private int more;

  void add(String where, String why) {
    if (named.size() < NAMED) {
      named.add(where + " is left out: " + why);
    } else {
      more++;
    }
  }

  void line(int number, String why) {
    add("line " + number, why);
  }

  /** A row without all the columns its heading has, or with more. */
  void columns(int number, int seen, int expected) {
    line(
        number,
        "%s where %d were expected%s"
            .formatted(
                Counted.of(seen, "column"), expected, seen < expected ? " (was it cut off?)" : ""));
  }

  /** Whether the times can be those of calls; those that are not told can. */
  static boolean possible(Latency latency) {
    return DoubleStream.of(latency.mean(), latency.p50()).noneMatch(it -> it <= 0)
        && DoubleStream.of(latency.min(), latency.p99(), latency.max()).noneMatch(it -> it < 0);
  }

  /** Whether what a line says can be; where not, it is left out. */
  boolean takes(int number, NetResult result) {
    if (!possible(result.latency())) {
      impossible(number);
    } else if (!(result.figure() >= 0)) {
      line(number, "its figure is not a number, or less than 0");
    } else {
      return true;
    }
    return false;
  }

  void impossible(int number) {
    line(number, "a time must be more than 0");
  }

  List<String> notes() {
    List<String> notes = new ArrayList<>(named);
    if (more > 0) {
      notes.add("%d more %s left out".formatted(more, more == 1 ? "row is" : "rows are"));
    }
    return notes;
  }
}
