package dev.holdfast.control.api.gate;

import dev.holdfast.control.api.gate.Guest.Doing;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * Connections that share a limit: of one address, of one token. When there are too many, the one
 * that came first and has sent the least of a request leaves, so that a newcomer who asks at once
 * is answered however many wait for nothing. Not for several threads.
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

  /** Who must leave, if there are too many. */
  Optional<Guest> surplus() {
    if (guests.size() <= most) {
      return Optional.empty();
    }
    guests.removeIf(Guest::gone);
    return guests.size() <= most ? Optional.empty() : leaving();
  }

  /** Who leaves first; taken out. */
  Optional<Guest> leaving() {
    for (Doing doing : Doing.values()) {
      for (Guest guest : guests) {
        if (guest.doing() == doing) {
          guests.remove(guest);
          return Optional.of(guest);
        }
      }
    }
    return Optional.empty();
  }
}
