package dev.holdfast.bench.net;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * How two ranks greet each other on a fresh connection. After the names come packets of full size,
 * both ways: where small ones get through and these do not, somebody on the way drops what is
 * larger than he can send, and it is better to hear of that now than in the middle of an operation.
 *
 * @param patienceSeconds for each step
 */
record Greeting(RankSettings settings, double patienceSeconds) {
  private static final int MAGIC = 0x48464E32;
  private static final int PROBE = 64 << 10;

  /** Whoever connects has no name yet. */
  private static final int NOBODY = -1;

  /**
   * More than the system gives, so that a rank need not stop within a piece; less if it may not.
   */
  private static final int UNIX_BUFFER = 512 << 10;

  /**
   * Who is on the other side.
   *
   * @param number which connection of this rank it is
   */
  record Name(int rank, int number) {}

  Greeting(RankSettings settings) {
    this(settings, settings.silenceSeconds());
  }

  /** Something done with a connection. */
  private interface Talk<T> {
    T run() throws IOException;
  }

  /**
   * Connects to another rank.
   *
   * @param from the address to come from; none with Unix sockets
   */
  SocketChannel connect(int peer, SocketAddress at, @Nullable InetAddress from, int number)
      throws IOException {
    SocketChannel channel =
        at instanceof InetSocketAddress
            ? SocketChannel.open()
            : SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      within(
          channel,
          () -> reach(channel, at, from),
          peer,
          at + " does not answer: a firewall between the two, or the wrong card (--interface)");
      prepare(channel);
      within(
          channel,
          () -> introduce(channel, peer, number),
          peer,
          at + " lets us connect, but says nothing");
      within(
          channel,
          () -> probe(channel, true),
          peer,
          ("small packets pass between here and %s, large ones do not: the MTU is not the same all"
                  + " the way (compare `ip link` on both hosts and the switches between; try"
                  + " `ping -M do -s 1472`)")
              .formatted(at));
      return channel;
    } catch (IOException failed) {
      close(channel);
      throw failed instanceof LinkFault
          ? failed
          : new LinkFault(peer, true, at + ": " + why(failed));
    }
  }

  private static boolean reach(SocketChannel channel, SocketAddress at, @Nullable InetAddress from)
      throws IOException {
    if (from != null) {
      channel.bind(new InetSocketAddress(from, 0));
    }
    return channel.connect(at);
  }

  private boolean introduce(SocketChannel channel, int peer, int number) throws IOException {
    ByteBuffer hello = ByteBuffer.allocate(length());
    hello.putInt(MAGIC).putInt(RankSettings.VERSION).putInt(settings.rank()).putInt(number);
    hello.put(settings.token().getBytes(StandardCharsets.US_ASCII)).flip();
    writeAll(channel, hello);
    try {
      readAll(channel, ByteBuffer.allocate(1));
      return true;
    } catch (EOFException refused) {
      throw new LinkFault(peer, true, "rank " + peer + " turned us away");
    }
  }

  /** Hears who it is; none when it is a stranger. Somebody who says nothing is closed in time. */
  @Nullable Name hear(SocketChannel channel) throws IOException {
    ByteBuffer hello = ByteBuffer.allocate(length());
    within(
        channel,
        () -> {
          readAll(channel, hello);
          return true;
        },
        NOBODY,
        "it did not say who it is");
    hello.flip();
    byte[] token = new byte[settings.token().length()];
    int magic = hello.getInt();
    int version = hello.getInt();
    Name name = new Name(hello.getInt(), hello.getInt());
    hello.get(token);
    return magic == MAGIC
            && version == RankSettings.VERSION
            && MessageDigest.isEqual(token, settings.token().getBytes(StandardCharsets.US_ASCII))
        ? name
        : null;
  }

  /** Lets somebody in who was heard. */
  void welcome(SocketChannel channel) throws IOException {
    prepare(channel);
    within(
        channel,
        () -> {
          writeAll(channel, ByteBuffer.wrap(new byte[] {1}));
          return probe(channel, false);
        },
        NOBODY,
        "it fell silent while we met");
  }

  private static boolean probe(SocketChannel channel, boolean first) throws IOException {
    if (first) {
      writeAll(channel, ByteBuffer.allocate(PROBE));
    }
    readAll(channel, ByteBuffer.allocate(PROBE));
    if (!first) {
      writeAll(channel, ByteBuffer.allocate(PROBE));
    }
    return true;
  }

  /** Nothing blocks for ever: when time is over the connection is closed under whoever waits. */
  private <T> T within(SocketChannel channel, Talk<T> talk, int peer, String late)
      throws IOException {
    Thread watch =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    Thread.sleep((long) (patienceSeconds * 1000));
                    close(channel);
                  } catch (InterruptedException inTime) {
                    // It was done before.
                  }
                });
    try {
      return talk.run();
    } catch (ClosedChannelException over) {
      throw new LinkFault(peer, false, late);
    } finally {
      watch.interrupt();
    }
  }

  private static String why(IOException problem) {
    return switch (problem) {
      case NoRouteToHostException _ -> "there is no route to it";
      case ConnectException refused
          when String.valueOf(refused.getMessage()).contains("timed out") ->
          "it does not answer: a firewall between the two, or the wrong card (--interface)";
      case ConnectException _ -> "it refuses connections: a firewall, or its rank has ended";
      default -> String.valueOf(problem.getMessage());
    };
  }

  private int length() {
    return 4 * Integer.BYTES + settings.token().length();
  }

  private static void prepare(SocketChannel channel) throws IOException {
    if (channel.getLocalAddress() instanceof InetSocketAddress) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    } else {
      // TCP's grows by itself.
      channel.setOption(StandardSocketOptions.SO_SNDBUF, UNIX_BUFFER);
    }
  }

  private static void writeAll(SocketChannel channel, ByteBuffer from) throws IOException {
    while (from.hasRemaining()) {
      channel.write(from);
    }
  }

  private static void readAll(SocketChannel channel, ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (channel.read(into) < 0) {
        throw new EOFException("closed");
      }
    }
  }

  static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException gone) {
      // It is gone either way.
    }
  }
}
