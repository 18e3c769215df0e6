package dev.holdfast.core.policy;

import dev.holdfast.core.text.Hostlist;
import java.time.Instant;
import java.util.Optional;

/** A time in which nothing is done to some nodes, because people work on them. */
public record Window(Instant from, Instant until, String nodes, String why) {
  public boolean covers(String node, Instant now) {
    return !now.isBefore(from) && now.isBefore(until) && named(node);
  }

  private boolean named(String node) {
    return nodes.equals("*") || Hostlist.expand(nodes).contains(node);
  }

  static Optional<Window> covering(Iterable<Window> windows, String node, Instant now) {
    for (Window window : windows) {
      if (window.covers(node, now)) {
        return Optional.of(window);
      }
    }
    return Optional.empty();
  }
}
