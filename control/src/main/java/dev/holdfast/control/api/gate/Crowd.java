package dev.holdfast.control.api.gate;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * Connections that share a limit: of one address, of one token. When there are too many, the one
 * that came first of those worth the least leaves, so that a newcomer who asks at once is answered
 * however many wait. Not for several threads.
 */
final class Crowd {
  private final int most;
  private final SequencedSet<Guest> guests = new LinkedHashSet<>();

  Crowd(int most) {
    this.most = most;
  }

  void add(Guest guest) {
    guests.add(guest);
  }

  void remove(Guest guest) {
    guests.remove(guest);
  }

  int size() {
    return guests.size();
  }

  boolean empty() {
    return guests.isEmpty();
  }

  /** Who must leave, if there are too many; not the one who just came. */
  Optional<Guest> surplus(Guest newest, long now) {
    if (guests.size() <= most) {
      return Optional.empty();
    }
    guests.removeIf(Guest::gone);
    return guests.size() <= most ? Optional.empty() : leaving(newest, now);
  }

  /** Who leaves first, and is taken out; the one who just came only when he is alone. */
  Optional<Guest> leaving(Guest newest, long now) {
    Optional<Guest> first =
        guests.stream()
            .filter(it -> it != newest || guests.size() == 1)
            .min(Comparator.comparingInt(it -> it.worth(now)));
    first.ifPresent(guests::remove);
    return first;
  }
}
