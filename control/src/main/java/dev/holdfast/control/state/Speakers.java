package dev.holdfast.control.state;

import dev.holdfast.control.entry.Speaker;
import java.util.ArrayList;
import java.util.List;

/**
 * Who speaks for a source, and who did before.
 *
 * @param home the machine that spoke for it first
 * @param earlier the runs that were followed by others, the newest last
 */
public record Speakers(Speaker now, String home, List<String> earlier) {
  /** One that was followed speaks up within minutes, or never. */
  private static final int MOST_EARLIER = 8;

  public Speakers {
    earlier = List.copyOf(earlier);
  }

  static Speakers first(Speaker speaker) {
    return new Speakers(speaker, speaker.machine(), List.of());
  }

  Speakers then(Speaker next) {
    List<String> runs = new ArrayList<>(earlier);
    runs.remove(next.run());
    runs.remove(now.run());
    runs.add(now.run());
    return new Speakers(
        next,
        home.isEmpty() ? next.machine() : home,
        runs.subList(Math.max(0, runs.size() - MOST_EARLIER), runs.size()));
  }
}
