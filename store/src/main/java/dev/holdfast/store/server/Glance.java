package dev.holdfast.store.server;

import dev.holdfast.store.keys.Wait;
import dev.holdfast.store.protocol.Dialect;
import dev.holdfast.store.protocol.Operation;
import java.util.List;

/** What is known of one connection at a moment, as it is; others make words of it. */
record Glance(
    Connection connection,
    Dialect dialect,
    long lastNanos,
    long requests,
    int process,
    int rank,
    Operation last,
    List<byte[]> waitsFor,
    long waitsSinceNanos) {
  private static final int KEYS_SHOWN = 8;

  /** Called on the thread of the connection, under the lock of the store. */
  static Glance of(Connection connection) {
    Wait wait = connection.waiting();
    return new Glance(
        connection,
        connection.scanner.dialect(),
        connection.lastNanos,
        connection.requests,
        connection.process,
        connection.rank(),
        connection.last,
        wait == null ? List.of() : wait.missingKeys(KEYS_SHOWN),
        wait == null ? 0 : wait.sinceNanos());
  }
}
