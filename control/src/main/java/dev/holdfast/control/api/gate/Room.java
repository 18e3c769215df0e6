package dev.holdfast.control.api.gate;

import java.net.SocketAddress;

/** What one body takes of the budget of all bodies; given back once, by closing it. */
final class Room implements AutoCloseable {
  private final Gate gate;
  private final SocketAddress remote;
  private long bytes;

  Room(Gate gate, SocketAddress remote) {
    this.gate = gate;
    this.remote = remote;
  }

  boolean take(int more) {
    boolean taken = gate.take(remote, more);
    synchronized (this) {
      bytes += taken ? more : 0;
    }
    return taken;
  }

  void full() {
    gate.bodyIsThere(remote);
  }

  @Override
  public synchronized void close() {
    gate.giveBack(bytes);
    bytes = 0;
  }
}
