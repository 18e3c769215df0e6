package dev.holdfast.bench.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How ranks find each other over sockets: each listens, and connects to those below it. Whoever
 * does not know the token, or claims to be a rank that is there already, is turned away; somebody
 * who connects and says nothing keeps nobody waiting, and is closed after a while.
 */
final class SocketMeeting implements AutoCloseable {
  /** More than any number of ranks times streams that come at once. */
  private static final int MOST_WAITING = 1 << 15;

  /** More than ranks that come at once: each connects its streams one after the other. */
  private static final int MOST_STRANGERS = 1024;

  private static final long LOOK_MILLIS = 100;

  /** Somebody who only wants to know whether we are there. */
  private static final int KNOCK = -1;

  private static final double KNOCK_SECONDS = 3;

  private final RankSettings settings;
  private final Greeting greeting;
  private final @Nullable InetAddress own;
  private final ServerSocketChannel listener;
  private final Map<Greeting.Name, SocketChannel> arrived = new ConcurrentHashMap<>();
  private final Set<SocketChannel> strangers = ConcurrentHashMap.newKeySet();
  private final int mostStrangers;
  private final FarBytes far;

  /** Where another rank listens. */
  record Place(String address, int port) {}

  /**
   * @param own the address others reach this rank at
   */
  SocketMeeting(RankSettings settings, InetAddress own) throws IOException {
    this(settings, own, MOST_STRANGERS);
  }

  /**
   * @param mostStrangers who comes while so many have not said who they are is turned away
   */
  SocketMeeting(RankSettings settings, InetAddress own, int mostStrangers) throws IOException {
    this.settings = settings;
    this.mostStrangers = mostStrangers;
    this.far = new FarBytes(settings.transport() == Transport.UNIX ? "" : NetAddress.cardName(own));
    this.greeting = new Greeting(settings);
    if (settings.transport() == Transport.UNIX) {
      this.own = null;
      listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      listener.bind(path(settings.rank()), 1024);
    } else {
      this.own = own;
      listener = ServerSocketChannel.open();
      listener.bind(new InetSocketAddress(own, 0), 1024);
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
        if (strangers.size() >= mostStrangers) {
          Greeting.close(channel);
        } else {
          strangers.add(channel);
          Thread.ofVirtual().start(() -> greet(channel));
        }
      }
    } catch (IOException closed) {
      // All have come, or time is over.
    }
  }

  private void greet(SocketChannel channel) {
    try {
      Greeting.Name name = greeting.hear(channel);
      if (name == null
          || name.rank() < 0
          || name.rank() >= settings.ranks()
          || name.rank() == settings.rank()
          || arrived.containsKey(name)
          || arrived.size() >= MOST_WAITING) {
        turnAway(channel);
        return;
      }
      greeting.welcome(channel);
      if (name.number() == KNOCK || arrived.putIfAbsent(name, channel) != null) {
        turnAway(channel);
        return;
      }
      strangers.remove(channel);
      synchronized (arrived) {
        arrived.notifyAll();
      }
    } catch (IOException gone) {
      turnAway(channel);
    }
  }

  private void turnAway(SocketChannel channel) {
    strangers.remove(channel);
    Greeting.close(channel);
  }

  /** How many have not said yet who they are. */
  int strangers() {
    return strangers.size();
  }

  /** How many were let in and not asked for yet. */
  int waiting() {
    return arrived.size();
  }

  /** Connects to all below and waits for all above. */
  SocketMesh meet(
      List<Place> places, long withinNanos, boolean ownCore, AtomicReference<@Nullable String> stop)
      throws IOException {
    long end = System.nanoTime() + withinNanos;
    List<@Nullable SocketLink> links = new ArrayList<>();
    try {
      for (int peer = 0; peer < settings.ranks(); peer++) {
        if (peer == settings.rank()) {
          links.add(null);
        } else if (peer < settings.rank()) {
          links.add(connect(peer, places.get(peer), 0));
        } else {
          links.add(await(peer, 0, end, stop));
        }
      }
      return new SocketMesh(links, ownCore);
    } catch (IOException failed) {
      links.stream().filter(Objects::nonNull).forEach(SocketLink::close);
      throw failed;
    }
  }

  /** Why a rank cannot be reached now; empty when it can. */
  String knock(int peer, Place place) {
    try {
      Greeting.close(
          new Greeting(settings, KNOCK_SECONDS).connect(peer, address(peer, place), own, KNOCK));
      return "";
    } catch (IOException far) {
      return String.valueOf(far.getMessage());
    }
  }

  private SocketAddress address(int peer, Place place) {
    return settings.transport() == Transport.UNIX
        ? path(peer)
        : new InetSocketAddress(InetAddress.ofLiteral(place.address()), place.port());
  }

  /**
   * Connects to a rank: whoever connects sends on the first half of the streams.
   *
   * @param first the number of the first of the streams
   */
  SocketLink connect(int peer, Place place, int first) throws IOException {
    SocketAddress address = address(peer, place);
    List<SocketChannel> streams = new ArrayList<>();
    try {
      for (int stream = 0; stream < 2 * settings.streams(); stream++) {
        streams.add(greeting.connect(peer, address, own, first + stream));
      }
    } catch (IOException failed) {
      streams.forEach(Greeting::close);
      throw failed;
    }
    int half = settings.streams();
    return link(peer, streams.subList(0, half), streams.subList(half, 2 * half));
  }

  /**
   * Waits for a rank that connects to us.
   *
   * @param stop why to give up, once somebody says so
   */
  SocketLink await(int peer, int first, long end, AtomicReference<@Nullable String> stop)
      throws IOException {
    List<SocketChannel> streams = new ArrayList<>();
    try {
      for (int stream = 0; stream < 2 * settings.streams(); stream++) {
        streams.add(await(new Greeting.Name(peer, first + stream), end, stop));
      }
    } catch (IOException failed) {
      streams.forEach(Greeting::close);
      throw failed;
    }
    int half = settings.streams();
    return link(peer, streams.subList(half, 2 * half), streams.subList(0, half));
  }

  private SocketLink link(int peer, List<SocketChannel> outgoing, List<SocketChannel> incoming)
      throws IOException {
    boolean leadsAway =
        incoming.getFirst().getRemoteAddress() instanceof InetSocketAddress there
            && !NetAddress.isOwn(there.getAddress());
    return new SocketLink(peer, outgoing, incoming, leadsAway ? far : new FarBytes(""));
  }

  /** What goes to other machines and comes from there. */
  FarBytes far() {
    return far;
  }

  private SocketChannel await(Greeting.Name name, long end, AtomicReference<@Nullable String> stop)
      throws IOException {
    synchronized (arrived) {
      while (!arrived.containsKey(name)) {
        String why = stop.get();
        if (why != null) {
          throw new IOException(why);
        }
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          throw new LinkFault(
              name.rank(), false, "rank " + name.rank() + " did not connect in time");
        }
        try {
          arrived.wait(Math.min(left, LOOK_MILLIS));
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted", interrupted);
        }
      }
    }
    return Objects.requireNonNull(arrived.remove(name));
  }

  /** Nobody else is let in. */
  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException gone) {
      // It is gone either way.
    }
    strangers.forEach(Greeting::close);
    arrived.values().forEach(Greeting::close);
  }
}
