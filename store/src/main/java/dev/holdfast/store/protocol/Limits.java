package dev.holdfast.store.protocol;

import dev.holdfast.core.text.Bytes;

/**
 * How much a client may ask the store to hold. Key, value and count are those of PyTorch's own
 * server; what PyTorch leaves unbounded, the memory of a connection and of the store, is bounded
 * too.
 *
 * @param key bytes of a key
 * @param value bytes of a value
 * @param count keys in one request
 * @param request bytes of one request
 * @param backlog bytes of answers a client leaves unread before it is dropped
 * @param memory bytes of all keys and values of a store
 * @param buffers bytes of unread answers and unfinished requests of all clients together
 * @param connections of all stores of a process
 */
public record Limits(
    int key,
    int value,
    int count,
    int request,
    int backlog,
    long memory,
    long buffers,
    int connections) {
  public static final Limits DEFAULT =
      new Limits(8 << 10, 8 << 20, 131_072, 64 << 20, 64 << 20, 2L << 30, 2L << 30, 200_000);

  /**
   * Bytes of the first request of a client, which its greeting is. PyTorch's own are a few; the
   * longest key fits.
   */
  public static final int GREETING = 16 << 10;

  public Limits {
    if (key < 1 || value < 1 || count < 1 || request < 64 || backlog < 1024 || memory < 1) {
      throw new IllegalArgumentException("a limit of the store is below one");
    }
  }

  /** The same, but keys and values take no more than this, and buffers half as much. */
  public Limits within(long bytes) {
    return new Limits(
        key,
        value,
        count,
        request,
        backlog,
        Math.max(1, Math.min(memory, bytes)),
        Math.max(1, Math.min(buffers, bytes / 2)),
        connections);
  }

  public Limits withBuffers(long bytes) {
    return new Limits(key, value, count, request, backlog, memory, bytes, connections);
  }

  public Limits withConnections(int most) {
    return new Limits(key, value, count, request, backlog, memory, buffers, most);
  }

  /** The text of a limit, for the reason a connection was closed. */
  static String of(long bytes) {
    return Bytes.of(bytes).toString();
  }
}
