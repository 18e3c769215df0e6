package dev.holdfast.store.manage;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Who is connected to manage a store: a number of strangers, who have shown nothing yet, and beside
 * them a number of those who have. One stranger too many costs the one who came first its place, so
 * however many there are, whoever has something to ask gets in.
 */
final class Visitors {
  private final int most;
  private final LinkedHashSet<SocketChannel> strangers = new LinkedHashSet<>();
  private final Set<SocketChannel> known = new HashSet<>();

  Visitors(int most) {
    this.most = most;
  }

  /** One more stranger; the first of them goes when there are too many. */
  synchronized void came(SocketChannel peer) throws IOException {
    strangers.add(peer);
    if (strangers.size() > most) {
      strangers.removeFirst().close();
    }
  }

  /** It has shown that it may ask; whether there is room for it. */
  synchronized boolean admit(SocketChannel peer) {
    strangers.remove(peer);
    return known.contains(peer) || known.size() < most && known.add(peer);
  }

  synchronized void left(SocketChannel peer) {
    strangers.remove(peer);
    known.remove(peer);
  }
}
