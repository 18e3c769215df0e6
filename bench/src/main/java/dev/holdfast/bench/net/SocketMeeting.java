package dev.holdfast.bench.net;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How ranks find each other over sockets: each listens, and connects to those below it. Whoever
 * does not know the token, or claims to be a rank that is there already, is turned away; somebody
 * who connects and says nothing keeps nobody waiting.
 */
final class SocketMeeting implements AutoCloseable {
  private static final int MAGIC = 0x48464E31;

  private final RankSettings settings;
  private final ServerSocketChannel listener;
  private final Map<Integer, @Nullable SocketChannel[]> arrived = new HashMap<>();
  private final ConcurrentLinkedQueue<SocketChannel> strangers = new ConcurrentLinkedQueue<>();
  private final CountDownLatch missing;

  SocketMeeting(RankSettings settings) throws IOException {
    this.settings = settings;
    this.missing =
        new CountDownLatch((settings.ranks() - 1 - settings.rank()) * settings.streams());
    if (settings.transport() == Transport.UNIX) {
      listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      listener.bind(path(settings.rank()), 1024);
    } else {
      listener = ServerSocketChannel.open();
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    }
    Thread.ofVirtual().name("ranks").start(this::listen);
  }

  private UnixDomainSocketAddress path(int rank) {
    return UnixDomainSocketAddress.of(Path.of(settings.place()).resolve("rank-" + rank));
  }

  /** The port others reach this rank at; 0 with Unix sockets. */
  int port() throws IOException {
    return listener.getLocalAddress() instanceof InetSocketAddress address ? address.getPort() : 0;
  }

  private void listen() {
    try {
      while (true) {
        SocketChannel channel = listener.accept();
        Thread.ofVirtual().start(() -> greet(channel));
      }
    } catch (IOException closed) {
      // All have come, or time is over.
    }
  }

  private void greet(SocketChannel channel) {
    strangers.add(channel);
    try {
      ByteBuffer hello = ByteBuffer.allocate(length());
      readAll(channel, hello);
      hello.flip();
      byte[] token = new byte[settings.token().length()];
      int magic = hello.getInt();
      int version = hello.getInt();
      int rank = hello.getInt();
      int stream = hello.getInt();
      hello.get(token);
      if (magic != MAGIC
          || version != RankSettings.VERSION
          || !MessageDigest.isEqual(token, settings.token().getBytes(StandardCharsets.US_ASCII))
          || !enter(rank, stream, channel)) {
        channel.close();
        return;
      }
      strangers.remove(channel);
      prepare(channel);
      channel.write(ByteBuffer.wrap(new byte[] {1}));
      missing.countDown();
    } catch (IOException gone) {
      close(channel);
    }
  }

  private int length() {
    return 4 * Integer.BYTES + settings.token().length();
  }

  private boolean enter(int rank, int stream, SocketChannel channel) {
    if (rank <= settings.rank()
        || rank >= settings.ranks()
        || stream < 0
        || stream >= settings.streams()) {
      return false;
    }
    synchronized (arrived) {
      @Nullable SocketChannel[] streams =
          arrived.computeIfAbsent(rank, _ -> new SocketChannel[settings.streams()]);
      if (streams[stream] != null) {
        return false;
      }
      streams[stream] = channel;
      return true;
    }
  }

  private static void prepare(SocketChannel channel) throws IOException {
    if (channel.getLocalAddress() instanceof InetSocketAddress) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
  }

  /** Connects to all below and waits for all above. */
  SocketMesh meet(List<Integer> ports, long withinNanos) throws IOException {
    long end = System.nanoTime() + withinNanos;
    List<@Nullable SocketLink> links = new ArrayList<>();
    for (int peer = 0; peer < settings.rank(); peer++) {
      List<SocketChannel> streams = new ArrayList<>();
      for (int stream = 0; stream < settings.streams(); stream++) {
        streams.add(connect(peer, stream, ports.get(peer)));
      }
      links.add(new SocketLink(peer, streams));
    }
    links.add(null);
    try {
      if (!missing.await(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
        throw new IOException("not all ranks came within %.0f s".formatted(withinNanos / 1e9));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
    synchronized (arrived) {
      for (int peer = settings.rank() + 1; peer < settings.ranks(); peer++) {
        @Nullable SocketChannel[] streams = arrived.get(peer);
        links.add(
            new SocketLink(
                peer,
                streams == null
                    ? List.of()
                    : Arrays.stream(streams).map(java.util.Objects::requireNonNull).toList()));
      }
    }
    return new SocketMesh(links, settings.ownCore());
  }

  private SocketChannel connect(int peer, int stream, int port) throws IOException {
    SocketAddress address =
        settings.transport() == Transport.UNIX
            ? path(peer)
            : new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    SocketChannel channel = SocketChannel.open(address);
    prepare(channel);
    ByteBuffer hello = ByteBuffer.allocate(length());
    hello.putInt(MAGIC).putInt(RankSettings.VERSION).putInt(settings.rank()).putInt(stream);
    hello.put(settings.token().getBytes(StandardCharsets.US_ASCII)).flip();
    while (hello.hasRemaining()) {
      channel.write(hello);
    }
    try {
      readAll(channel, ByteBuffer.allocate(1));
    } catch (EOFException refused) {
      throw new LinkFault(peer, true, "rank " + peer + " turned us away");
    }
    return channel;
  }

  private static void readAll(SocketChannel channel, ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (channel.read(into) < 0) {
        throw new EOFException("closed");
      }
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException gone) {
      // It is gone either way.
    }
  }

  /** Nobody else is let in. */
  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException gone) {
      // It is gone either way.
    }
    strangers.forEach(SocketMeeting::close);
  }
}
