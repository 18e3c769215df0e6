package dev.holdfast.control.state;

import dev.holdfast.control.entry.Ground;
import dev.holdfast.control.entry.SourceEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What a source said and was not taken in.
 *
 * @param why of the last, for a person
 */
public record Refusals(List<OfGround> counts, Ground ground, String why, Instant last) {
  /** So many on one ground. */
  public record OfGround(Ground ground, long count) {}

  public Refusals {
    counts = List.copyOf(counts);
  }

  static Refusals first(SourceEntry.Refused refused, Instant at) {
    List<OfGround> one = List.of(new OfGround(refused.ground(), refused.count()));
    return new Refusals(one, refused.ground(), refused.why(), at);
  }

  Refusals and(SourceEntry.Refused refused, Instant at) {
    return new Refusals(
        more(counts, refused.ground(), refused.count()), refused.ground(), refused.why(), at);
  }

  static List<OfGround> more(List<OfGround> counts, Ground ground, long count) {
    List<OfGround> all = new ArrayList<>();
    long sum = count;
    for (OfGround each : counts) {
      if (each.ground() == ground) {
        sum += each.count();
      } else {
        all.add(each);
      }
    }
    all.add(new OfGround(ground, sum));
    all.sort(java.util.Comparator.comparing(OfGround::ground));
    return all;
  }

  public long count() {
    return counts.stream().mapToLong(OfGround::count).sum();
  }
}
