package dev.holdfast.control.api;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Places that are held for long: so many in all, and so many for one who asks. */
final class Places {
  private final int all;
  private final int each;
  private final String full;
  private final Map<String, Integer> held = new HashMap<>();
  private int taken;

  /**
   * @param full what so many do already, and what to do about it
   */
  Places(int all, int each, String full) {
    this.all = all;
    this.each = each;
    this.full = full;
  }

  /** Takes a place, to be left again; or says why there is none. */
  synchronized Optional<String> enter(String who) {
    int own = held.getOrDefault(who, 0);
    if (own >= each) {
      return Optional.of("%d of %s %s".formatted(each, who, full));
    }
    if (taken >= all) {
      return Optional.of("%d %s".formatted(all, full));
    }
    held.put(who, own + 1);
    taken++;
    return Optional.empty();
  }

  synchronized void leave(String who) {
    held.computeIfPresent(who, (_, own) -> own == 1 ? null : own - 1);
    taken--;
  }
}
