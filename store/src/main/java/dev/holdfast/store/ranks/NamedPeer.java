package dev.holdfast.store.ranks;

import dev.holdfast.store.server.StoreView;

/**
 * A connection and whose it is.
 *
 * @param rank below 0: it cannot be told
 * @param node the name of its node, where a launcher told it; else empty
 * @param process the client's process, by whichever way it is known; else 0
 */
public record NamedPeer(StoreView.Peer peer, int rank, String node, long process) {
  boolean waits() {
    return !peer.waitsFor().isEmpty();
  }
}
