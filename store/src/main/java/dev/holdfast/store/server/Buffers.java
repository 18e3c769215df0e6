package dev.holdfast.store.server;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the unread answers and unfinished requests of all clients of a process take, and who goes
 * when that is too much.
 *
 * <p>The slowest go first: those whose oldest unread answer or unfinished request has been there
 * the longest, among those that hold at least half as much as the average, since closing one that
 * holds next to nothing would free nothing. How much one holds at a moment says little: a rank that
 * has just asked for a large value holds more than a stranger who stopped reading an hour ago.
 *
 * <p>A value lent to many answers is counted once, as it is there once.
 */
public final class Buffers {
  /** So much below the limit it is afterwards, so that not every answer closes one. */
  private static final int SLACK = 16;

  private final long most;
  private final AtomicLong used = new AtomicLong();
  private final Set<Connection> holders = ConcurrentHashMap.newKeySet();
  private final Map<byte[], Integer> lent = new IdentityHashMap<>();

  /** Those who were chosen to go and are not closed yet; under the monitor. */
  private int leaving;

  Buffers(long most) {
    this.most = most;
  }

  public long most() {
    return most;
  }

  public long used() {
    return used.get();
  }

  boolean over() {
    return used.get() > most;
  }

  void lend(byte[] value) {
    synchronized (lent) {
      if (lent.merge(value, 1, Integer::sum) == 1) {
        used.addAndGet(value.length);
      }
    }
  }

  void giveBack(byte[] value) {
    synchronized (lent) {
      if (lent.merge(value, -1, (a, b) -> a + b == 0 ? null : a + b) == null) {
        used.addAndGet(-value.length);
      }
    }
  }

  /** Counts what a connection holds now, on its own thread; returns whether that has changed. */
  boolean count(Connection connection) {
    long own = connection.buffered();
    long held = own + connection.unsent.lent();
    boolean changed = held != connection.holds;
    if (own != connection.counted) {
      used.addAndGet(own - connection.counted);
      connection.counted = own;
    }
    if (held > 0) {
      connection.holdsSinceNanos = connection.oldestNanos();
      if (connection.holds == 0) {
        holders.add(connection);
      }
    } else if (connection.holds > 0) {
      holders.remove(connection);
    }
    connection.holds = held;
    return changed;
  }

  /** A connection that is closed holds nothing. */
  void release(Connection connection) {
    connection.unsent.clear();
    synchronized (this) {
      holders.remove(connection);
      used.addAndGet(-connection.counted);
      connection.counted = 0;
      if (connection.chosen) {
        leaving--;
      }
    }
  }

  private record Holding(Connection connection, long bytes, long nanos) {}

  /**
   * Those who are to be closed so that the others have room, the slowest first; nobody while there
   * is room, or while some of those chosen before are still to be closed.
   */
  synchronized List<Connection> slowest(long now) {
    long excess = used.get() - most;
    if (excess <= 0 || leaving > 0) {
      return List.of();
    }
    List<Holding> holdings = new ArrayList<>();
    long sum = 0;
    for (Connection holder : holders) {
      Holding holding = new Holding(holder, holder.holds, now - holder.holdsSinceNanos);
      holdings.add(holding);
      sum += holding.bytes();
    }
    long least = holdings.isEmpty() ? 0 : sum / holdings.size() / 2;
    holdings.removeIf(holding -> holding.bytes() < least);
    holdings.sort(Comparator.comparingLong(Holding::nanos).reversed());
    long tooMuch = excess + most / SLACK;
    List<Connection> chosen = new ArrayList<>();
    for (Holding holding : holdings) {
      if (tooMuch > 0) {
        tooMuch -= holding.bytes();
        holding.connection().chosen = true;
        chosen.add(holding.connection());
      }
    }
    leaving = chosen.size();
    return chosen;
  }
}
