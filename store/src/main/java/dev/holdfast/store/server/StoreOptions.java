package dev.holdfast.store.server;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.store.protocol.Dialect;
import dev.holdfast.store.protocol.Limits;
import java.net.InetSocketAddress;

/**
 * How a store is to serve.
 *
 * @param legacy the dialect of clients that do not say which one they speak: A or B
 * @param threads how many threads share the connections
 * @param backlog how many connections may wait to be taken
 */
public record StoreOptions(
    InetSocketAddress address,
    AccessList access,
    Dialect legacy,
    Limits limits,
    int threads,
    int backlog) {
  private static final int BACKLOG = 65_535;
  private static final long LEAST_BUFFERS = 1 << 20;

  public StoreOptions {
    if (threads < 1 || threads > 64) {
      throw new IllegalArgumentException("threads: " + threads + " is not in 1-64");
    }
    if (legacy == Dialect.C) {
      throw new IllegalArgumentException("clients of dialect C say so themselves");
    }
  }

  /** With defaults for everything but the place. */
  public static StoreOptions at(InetSocketAddress address) {
    return new StoreOptions(
        address,
        AccessList.of(java.util.List.of()),
        Dialect.A,
        OwnRoom.limits(Limits.DEFAULT),
        threadsHere(),
        BACKLOG);
  }

  /** One thread on a small machine; where there are cores, a quarter of them and eight at most. */
  static int threadsHere() {
    return Math.clamp(Runtime.getRuntime().availableProcessors() / 4, 1, 8);
  }

  public StoreOptions with(AccessList list) {
    return new StoreOptions(address, list, legacy, limits, threads, backlog);
  }

  /** The same at another place, for others. */
  public StoreOptions at(InetSocketAddress place, AccessList list) {
    return new StoreOptions(place, list, legacy, limits, threads, backlog);
  }

  public StoreOptions with(Limits other) {
    return new StoreOptions(address, access, legacy, other, threads, backlog);
  }

  /** The same with so much for unread answers and unfinished requests. */
  public StoreOptions withBuffers(Bytes size) {
    long most = OwnRoom.memory() / 2;
    if (size.count() < LEAST_BUFFERS || size.count() > most) {
      throw new IllegalArgumentException(
          "buffers: %s is not between %s and half of the memory, %s"
              .formatted(size, Bytes.of(LEAST_BUFFERS), Bytes.of(most)));
    }
    return with(limits.withBuffers(size.count()));
  }

  public StoreOptions withThreads(int count) {
    return new StoreOptions(address, access, legacy, limits, count, backlog);
  }

  public StoreOptions withLegacy(Dialect dialect) {
    return new StoreOptions(address, access, dialect, limits, threads, backlog);
  }
}
