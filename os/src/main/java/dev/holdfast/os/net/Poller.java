package dev.holdfast.os.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * One thread's view of many sockets: which can be read or written now? epoll, level-triggered, with
 * the few socket calls a server needs, so that a request costs one wait, one read and one write and
 * an idle connection nothing but its descriptor.
 *
 * <p>All methods but {@link #wake} belong to the thread that owns the poller. Results below zero
 * are negated error numbers.
 */
public final class Poller implements AutoCloseable {
  public static final int READ = 0x001;
  public static final int WRITE = 0x004;
  public static final int BROKEN = 0x008 | 0x010;

  /** The call would have had to wait. */
  public static final int AGAIN = -11;

  static final int IN_PROGRESS = -115;

  static final int EPOLL_ADD = 1;
  static final int EPOLL_DELETE = 2;
  static final int EPOLL_MODIFY = 3;
  static final int NON_BLOCKING = 0x800;
  static final int CLOSE_ON_EXEC = 0x80000;
  static final int NO_SIGNAL = 0x4000;
  static final int IPV4 = 2;
  static final int IPV6 = 10;
  static final int STREAM = 1;
  static final int IPPROTO_TCP = 6;
  static final int TCP_NODELAY = 1;
  static final int IPPROTO_IPV6 = 41;
  static final int IPV6_ONLY = 26;
  static final int SOL_SOCKET = 1;
  static final int REUSE_ADDRESS = 2;
  static final int KEEP_ALIVE = 9;
  static final int LINGER = 13;
  static final int ADDRESS_BYTES = 28;
  private static final int EVENTS = 1024;
  private static final long WAKE_TOKEN = -1;
  private static final boolean PACKED = !System.getProperty("os.arch", "").equals("aarch64");
  static final int EVENT_BYTES = PACKED ? 12 : 16;
  static final int DATA = PACKED ? 4 : 8;

  private final Arena arena = Arena.ofShared();
  private final SocketCalls calls = new SocketCalls(arena);
  private final SocketCalls wakeCalls = new SocketCalls(arena);
  private final MemorySegment events = arena.allocate((long) EVENT_BYTES * EVENTS, 8);
  private final MemorySegment event = arena.allocate(16, 8);
  private final MemorySegment address = arena.allocate(ADDRESS_BYTES, 8);
  private final MemorySegment addressLength = arena.allocate(JAVA_INT);
  private final MemorySegment one = arena.allocate(JAVA_INT);
  private final MemorySegment counter = arena.allocate(8, 8);
  private final MemorySegment atOnce = arena.allocate(8, 8);
  private final int epoll;
  private final int wakeUp;

  private Poller() throws IOException {
    one.set(JAVA_INT, 0, 1);
    atOnce.set(JAVA_INT, 0, 1); // struct linger: on, for 0 seconds
    epoll = require(calls.epoll(CLOSE_ON_EXEC), "epoll_create1");
    wakeUp = require(calls.event(NON_BLOCKING | CLOSE_ON_EXEC), "eventfd");
    add(wakeUp, READ, WAKE_TOKEN);
  }

  public static Poller open() throws IOException {
    return new Poller();
  }

  /** Memory that lives as long as the poller, for buffers. */
  public MemorySegment allocate(long bytes) {
    return arena.allocate(bytes, 64);
  }

  /** A listening socket; port 0 takes any. On {@code ::} both families are served. */
  public int listen(InetSocketAddress where, int backlog) throws IOException {
    boolean six = where.getAddress().getAddress().length == 16;
    int descriptor = calls.socket(six ? IPV6 : IPV4, STREAM | NON_BLOCKING | CLOSE_ON_EXEC);
    if (descriptor < 0 && six && where.getAddress().isAnyLocalAddress()) {
      six = false;
      descriptor = calls.socket(IPV4, STREAM | NON_BLOCKING | CLOSE_ON_EXEC);
    }
    require(descriptor, "socket");
    calls.option(descriptor, SOL_SOCKET, REUSE_ADDRESS, one);
    if (six) {
      try (Arena scratch = Arena.ofConfined()) {
        calls.option(descriptor, IPPROTO_IPV6, IPV6_ONLY, scratch.allocate(JAVA_INT));
      }
    }
    int length = write(where, six);
    int bound = calls.bind(descriptor, address, length);
    if (bound >= 0) {
      bound = calls.listen(descriptor, backlog);
    }
    if (bound < 0) {
      calls.close(descriptor);
      throw new IOException("cannot listen on " + where + ": error " + -bound);
    }
    return descriptor;
  }

  private int write(InetSocketAddress where, boolean six) {
    address.fill((byte) 0);
    byte[] host = where.getAddress().getAddress();
    address.set(java.lang.foreign.ValueLayout.JAVA_SHORT, 0, (short) (six ? IPV6 : IPV4));
    address.set(java.lang.foreign.ValueLayout.JAVA_BYTE, 2, (byte) (where.getPort() >> 8));
    address.set(java.lang.foreign.ValueLayout.JAVA_BYTE, 3, (byte) where.getPort());
    if (!where.getAddress().isAnyLocalAddress()) {
      MemorySegment.copy(MemorySegment.ofArray(host), 0, address, six ? 8 : 4, host.length);
    }
    return six ? ADDRESS_BYTES : 16;
  }

  /**
   * A socket that is being connected, without delays for small writes: it can be written when it
   * is, and the first write says if it could not be.
   */
  public int connect(InetSocketAddress where) {
    boolean six = where.getAddress().getAddress().length == 16;
    int descriptor = calls.socket(six ? IPV6 : IPV4, STREAM | NON_BLOCKING | CLOSE_ON_EXEC);
    if (descriptor < 0) {
      return descriptor;
    }
    calls.option(descriptor, IPPROTO_TCP, TCP_NODELAY, one);
    int length = write(where, six);
    int result = calls.connect(descriptor, address, length);
    if (result < 0 && result != IN_PROGRESS) {
      calls.close(descriptor);
      return result;
    }
    return descriptor;
  }

  /** The port a listening socket got. */
  public int port(int descriptor) throws IOException {
    addressLength.set(JAVA_INT, 0, ADDRESS_BYTES);
    require(calls.name(descriptor, address, addressLength), "getsockname");
    return peerPort();
  }

  /** The next connection, without delays for small writes; {@link #AGAIN} when none waits. */
  public int accept(int listener) {
    addressLength.set(JAVA_INT, 0, ADDRESS_BYTES);
    int descriptor = calls.accept(listener, address, addressLength, NON_BLOCKING | CLOSE_ON_EXEC);
    if (descriptor >= 0) {
      calls.option(descriptor, IPPROTO_TCP, TCP_NODELAY, one);
      calls.option(descriptor, SOL_SOCKET, KEEP_ALIVE, one);
    }
    return descriptor;
  }

  /** The address of the peer just accepted; IPv4 in four bytes however it came. */
  public byte[] peer() {
    int family = address.get(java.lang.foreign.ValueLayout.JAVA_SHORT, 0);
    byte[] all = address.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    if (family == IPV4) {
      return Arrays.copyOfRange(all, 4, 8);
    }
    byte[] six = Arrays.copyOfRange(all, 8, 24);
    boolean mapped = six[10] == -1 && six[11] == -1;
    for (int i = 0; i < 10 && mapped; i++) {
      mapped = six[i] == 0;
    }
    return mapped ? Arrays.copyOfRange(six, 12, 16) : six;
  }

  public int peerPort() {
    int high = address.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 2) & 0xff;
    int low = address.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 3) & 0xff;
    return high << 8 | low;
  }

  /** Text of an address, never looked up. */
  public static String text(byte[] peer) {
    try {
      return InetAddress.getByAddress(peer).getHostAddress();
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  public int receive(int descriptor, MemorySegment buffer, int length) {
    return calls.receive(descriptor, buffer, length);
  }

  public int send(int descriptor, MemorySegment buffer, int length) {
    return calls.send(descriptor, buffer, length, NO_SIGNAL);
  }

  public void closeSocket(int descriptor) {
    calls.close(descriptor);
  }

  /** Closes a socket without a farewell: the peer sees a reset, and the port is free at once. */
  public void resetSocket(int descriptor) {
    calls.option(descriptor, SOL_SOCKET, LINGER, atOnce);
    calls.close(descriptor);
  }

  public int add(int descriptor, int interest, long token) {
    return control(EPOLL_ADD, descriptor, interest, token);
  }

  public int modify(int descriptor, int interest, long token) {
    return control(EPOLL_MODIFY, descriptor, interest, token);
  }

  public int remove(int descriptor) {
    return control(EPOLL_DELETE, descriptor, 0, 0);
  }

  private int control(int operation, int descriptor, int interest, long token) {
    event.set(JAVA_INT_UNALIGNED, 0, interest);
    event.set(JAVA_LONG_UNALIGNED, DATA, token);
    return calls.control(epoll, operation, descriptor, event);
  }

  /** Waits for sockets to be ready, for {@link #wake}, or for the time to pass; -1 is for ever. */
  public int await(int milliseconds) {
    int ready = calls.await(epoll, events, EVENTS, milliseconds);
    return Math.max(0, ready);
  }

  /** What was registered with the socket of event {@code i}; below zero: somebody called wake. */
  public long token(int i) {
    return events.get(JAVA_LONG_UNALIGNED, (long) i * EVENT_BYTES + DATA);
  }

  public int readiness(int i) {
    return events.get(JAVA_INT_UNALIGNED, (long) i * EVENT_BYTES);
  }

  /** Takes note of wake-ups, so that the next wait waits. */
  public void drainWakeUps() {
    calls.eventRead(wakeUp, counter);
  }

  /** Ends the wait of the owning thread; any thread may call it, after the end too. */
  public synchronized void wake() {
    if (arena.scope().isAlive()) {
      wakeCalls.eventWrite(wakeUp);
    }
  }

  @Override
  public synchronized void close() {
    calls.close(wakeUp);
    calls.close(epoll);
    arena.close();
  }

  private static int require(int result, String call) throws IOException {
    if (result < 0) {
      throw new IOException(call + ": error " + -result);
    }
    return result;
  }
}
