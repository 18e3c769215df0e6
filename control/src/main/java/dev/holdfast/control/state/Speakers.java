package dev.holdfast.control.state;

import dev.holdfast.control.entry.Speaker;
import java.util.ArrayList;
import java.util.List;

/**
 * Who speaks for a source, and who did before.
 *
 * @param home the machine that spoke for it first
 * @param earlier the runs that were followed by others, the newest last
 * @param intruders the runs an older one took its place back from
 */
public record Speakers(Speaker now, String home, List<String> earlier, List<String> intruders) {
  /** One that was followed speaks up within minutes, or never. */
  private static final int MOST = 8;

  public Speakers {
    earlier = List.copyOf(earlier);
    intruders = List.copyOf(intruders);
  }

  public static Speakers first(Speaker speaker) {
    return new Speakers(speaker, speaker.machine(), List.of(), List.of());
  }

  /**
   * @param intruded whether the one that spoke should not have
   */
  public Speakers then(Speaker next, boolean intruded) {
    return new Speakers(
        next,
        home.isEmpty() ? next.machine() : home,
        runs(earlier, next, !intruded),
        runs(intruders, next, intruded));
  }

  private List<String> runs(List<String> before, Speaker next, boolean more) {
    List<String> runs = new ArrayList<>(before);
    runs.remove(next.run());
    if (more && !now.run().isEmpty()) {
      runs.remove(now.run());
      runs.add(now.run());
    }
    return runs.subList(Math.max(0, runs.size() - MOST), runs.size());
  }
}
