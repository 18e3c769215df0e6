package dev.holdfast.store.server;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * How many connections all stores of a process may have, and who makes room when all places are
 * taken: who has never sent a whole request, the oldest first. So whoever fills a port with silent
 * connections locks nobody out, and a rank that is in stays in. Safe for several threads.
 */
final class Places {
  private final int most;
  private int taken;
  private final LinkedHashSet<Connection> strangers = new LinkedHashSet<>();

  Places(int most) {
    this.most = most;
  }

  int most() {
    return most;
  }

  /** Whether there is a place for one more, if need be that of a stranger. */
  synchronized boolean take() {
    if (taken >= most && makeRoom(1) == 0) {
      return false;
    }
    taken++;
    return true;
  }

  /** Has so many strangers closed, each by its own thread; returns how many there were. */
  synchronized int makeRoom(int count) {
    List<Connection> oldest = new ArrayList<>(strangers.stream().limit(count).toList());
    oldest.forEach(strangers::remove);
    for (Connection stranger : oldest) {
      stranger.loop.hand(() -> stranger.loop.makePlace(stranger));
    }
    return oldest.size();
  }

  synchronized void came(Connection stranger) {
    strangers.add(stranger);
  }

  synchronized void greeted(Connection connection) {
    strangers.remove(connection);
  }

  synchronized void left(Connection connection) {
    taken--;
    strangers.remove(connection);
  }
}
