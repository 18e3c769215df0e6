package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Ground;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.core.report.Receipt;
import dev.holdfast.core.report.Report;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What of one batch is not taken in. The source hears of each of the first few; the journal has a
 * line for each ground, so that one that is always refused does not fill it.
 */
final class Refusing {
  private static final int MOST_WHY = 300;

  private final String source;
  private final List<Receipt.Refused> all = new ArrayList<>();
  private final Map<Ground, Tally> tallies = new EnumMap<>(Ground.class);

  /** So many on one ground, and what the last was about. */
  private record Tally(long count, String why) {}

  Refusing(String source) {
    this.source = source;
  }

  void add(Report report, Objection objection) {
    String why = objection.why();
    String brief = why.substring(0, Math.min(MOST_WHY, why.length()));
    Ground ground = objection.ground();
    if (all.size() < Receipt.MOST_REFUSED) {
      all.add(new Receipt.Refused(report.sequence(), ground.word(), brief));
    }
    tallies.compute(ground, (_, it) -> new Tally(it == null ? 1 : it.count() + 1, brief));
  }

  /** Writes down how many there were. */
  void write(Outbox out) {
    tallies.forEach((ground, it) -> refuse(source, ground, it.count(), it.why(), out));
  }

  static void refuse(String source, Ground ground, long count, String why, Outbox out) {
    out.add(new SourceEntry.Refused(source, ground, count, why));
    if (ground == Ground.TOO_MANY || ground == Ground.TOO_FAST && source.startsWith("node/")) {
      Limits.reached(source, count, why, out);
    } else if (ground == Ground.TOO_FAST) {
      Outside.leftOut(source, count, out);
    }
  }

  List<Receipt.Refused> all() {
    return all;
  }
}
