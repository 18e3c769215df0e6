package dev.holdfast.store.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one thread by the token epoll knows them by. A token is a place and how often
 * that place has been given away, so that what epoll still tells of a connection that is closed is
 * never taken for one that came after it.
 */
final class Slots {
  private Connection[] connections = new Connection[256];
  private int[] generations = new int[256];
  private final ArrayDeque<Integer> free = new ArrayDeque<>();
  private int used;

  /** The token of the next connection, which is to be put; never below zero. */
  long next() {
    int slot = free.isEmpty() ? used++ : free.removeLast();
    if (slot == connections.length) {
      connections = Arrays.copyOf(connections, slot * 2);
      generations = Arrays.copyOf(generations, slot * 2);
    }
    return (long) generations[slot] << 32 | slot;
  }

  void put(Connection connection) {
    connections[(int) connection.token] = connection;
  }

  /** The connection with this token; none when it is closed. */
  @Nullable Connection find(long token) {
    Connection connection = connections[(int) token];
    return connection == null || connection.token != token ? null : connection;
  }

  void remove(Connection connection) {
    int slot = (int) connection.token;
    connections[slot] = null;
    generations[slot] = generations[slot] + 1 & Integer.MAX_VALUE;
    free.addLast(slot);
  }

  List<Connection> all() {
    List<Connection> list = new ArrayList<>();
    for (int i = 0; i < used; i++) {
      if (connections[i] != null) {
        list.add(connections[i]);
      }
    }
    return list;
  }
}
