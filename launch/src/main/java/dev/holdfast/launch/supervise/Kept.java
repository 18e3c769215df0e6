package dev.holdfast.launch.supervise;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the process beside us wants its successor to know; held within bounds, not understood. */
final class Kept {
  private static final int MOST_NAMES = 16;
  private static final int MOST_CHARACTERS = 8 << 20;

  private final Map<String, List<String>> texts = new HashMap<>();

  Map<String, List<String>> all() {
    return Map.copyOf(texts);
  }

  /** Too much is not held at all: half of it would mislead. */
  void put(Order.Keep keep) {
    long characters = keep.parts().stream().mapToLong(String::length).sum();
    if (characters > MOST_CHARACTERS) {
      texts.remove(keep.name());
    } else if (texts.containsKey(keep.name()) || texts.size() < MOST_NAMES) {
      texts.put(keep.name(), keep.parts());
    }
  }
}
