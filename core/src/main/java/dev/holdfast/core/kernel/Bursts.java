package dev.holdfast.core.kernel;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Is this line a new event or the last one again? One fault prints tens of lines; the same rule,
 * code, device and detail within {@link #WINDOW} of the line before is one event with a count.
 */
public final class Bursts {
  public static final Duration WINDOW = Duration.ofMinutes(3);

  private static final long WINDOW_MICROS = WINDOW.toNanos() / 1000;

  /** Events kept; the oldest make room for newer ones. */
  static final int MAXIMUM_EVENTS = 4096;

  private final ArrayDeque<Draft> drafts = new ArrayDeque<>();
  private final Map<String, Draft> open = new HashMap<>();

  Bursts() {}

  void add(Draft draft) {
    String key = draft.key();
    Draft before = open.get(key);
    if (before != null && withinWindow(before, draft)) {
      before.repeat(draft);
    } else {
      if (drafts.size() == MAXIMUM_EVENTS) {
        Draft oldest = drafts.removeFirst();
        open.remove(oldest.key(), oldest);
      }
      drafts.addLast(draft);
      open.put(key, draft);
    }
  }

  List<Draft> drafts() {
    return List.copyOf(drafts);
  }

  private static boolean withinWindow(Draft before, Draft now) {
    return before.lastMicros < 0
        || now.firstMicros < 0
        || Math.abs(now.firstMicros - before.lastMicros) <= WINDOW_MICROS;
  }
}
