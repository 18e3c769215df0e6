package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.launch.job.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one launcher to the others, all on the thread that calls {@link #await}. A
 * message to somebody without a connection dials; where that fails the message is lost, which the
 * protocol allows for.
 */
final class Network implements AutoCloseable {
  private static final int MOST_LINKS = 40_000;
  private static final int MOST_STRANGERS = 8_192;
  private static final long SWEEP = 500;

  private final Setup setup;
  private final Selector selector;
  private final @Nullable Listener listener;
  private final Lookups lookups;
  private final Set<Link> links = new LinkedHashSet<>();
  private final Map<String, Link> byAddress = new HashMap<>();
  private final Set<Link> dirty = new LinkedHashSet<>();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 << 10);
  private final long startNanos = System.nanoTime();
  private Member self;
  private int strangers;
  private long sweepAt;
  private Consumer<Input> receiver = _ -> {};

  private Network(Setup setup, Selector selector, @Nullable Listener listener) {
    this.setup = setup;
    this.selector = selector;
    this.listener = listener;
    lookups = new Lookups(this::now, selector::wakeup);
    self = setup.self();
  }

  /**
   * The first launcher must have the port of the end point; others take it too where it is free,
   * else any.
   */
  static Network open(Setup setup) {
    return open(setup, setup.endpointPort(), setup.first());
  }

  /** The same for a launcher whose process was started again: where it was reached before. */
  static Network reopen(Setup setup) {
    return open(setup, setup.self().port(), false);
  }

  private static Network open(Setup setup, int port, boolean must) {
    try {
      Selector selector = Selector.open();
      return new Network(
          setup, selector, setup.isAlone() ? null : Listener.open(port, must, selector));
    } catch (IOException e) {
      throw new HoldfastException(
          ErrorCode.CANNOT_SERVE, "launchers cannot meet: " + e.getMessage(), e);
    }
  }

  int port() {
    return listener == null ? 0 : listener.port();
  }

  /** Says who this launcher is, now that its port is known. */
  void introduce(Member who) {
    self = who;
  }

  void wakeUp() {
    selector.wakeup();
  }

  void send(Collection<String> addresses, Message message) {
    byte[] line = Wire.line(message);
    for (String address : addresses) {
      Link link = byAddress.get(address);
      if (link != null) {
        say(link, line);
      } else {
        lookups.ask(address, line);
      }
    }
  }

  private void say(Link link, byte[] line) {
    if (link.say(line, now())) {
      dirty.add(link);
    } else {
      drop(link);
    }
  }

  /** Waits for something to happen, at most this long, and takes it in. */
  void await(long millis, Consumer<Input> inputs) {
    receiver = inputs;
    writeAll();
    try {
      selector.select(this::ready, millis);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (Lookups.Found found = lookups.next(); found != null; found = lookups.next()) {
      connect(found);
    }
    sweep();
    writeAll();
  }

  /** Writes all that is queued, for at most this long. */
  void flush(long millis) {
    long until = now() + millis;
    writeAll();
    while (now() < until && links.stream().anyMatch(link -> !link.idle())) {
      await(20, _ -> {});
    }
  }

  private void writeAll() {
    while (!dirty.isEmpty()) {
      Link link = dirty.iterator().next();
      dirty.remove(link);
      try {
        link.write(now());
      } catch (IOException e) {
        drop(link);
      }
    }
  }

  private void ready(SelectionKey key) {
    if (!key.isValid()) {
      return;
    }
    if (key.isAcceptable() && listener != null) {
      listener.accept(this::accepted);
    } else if (key.attachment() instanceof Link link) {
      try {
        if (key.isConnectable() && link.channel.finishConnect()) {
          greet(link);
        } else if (key.isReadable()) {
          link.read(buffer, line -> heard(link, line), now());
        }
        if (key.isValid() && key.isWritable()) {
          link.write(now());
        }
      } catch (IOException | IllegalArgumentException e) {
        drop(link);
      }
    }
  }

  private void greet(Link link) throws IOException {
    link.connected();
    link.sayNow(Wire.line(link.handshake.opening()), now());
    link.write(now());
  }

  private void accepted(SocketChannel channel) {
    try {
      if (links.size() >= MOST_LINKS || strangers >= MOST_STRANGERS) {
        channel.close();
      } else {
        add(channel, SelectionKey.OP_READ, "");
      }
    } catch (IOException _) {
      // It is gone again.
    }
  }

  private Link add(SocketChannel channel, int interest, String dialled) throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    SelectionKey key = channel.register(selector, interest);
    Handshake handshake = new Handshake(setup.job(), setup.token(), self, !dialled.isEmpty());
    Link link = new Link(channel, key, handshake, dialled, now());
    key.attach(link);
    links.add(link);
    strangers++;
    return link;
  }

  private void heard(Link link, String line) {
    Member peer = link.peer;
    if (!links.contains(link)) {
      return;
    }
    if (peer != null) {
      receiver.accept(new Input.Received(peer, Wire.message(line)));
      return;
    }
    Handshake.Step step = link.handshake.on(line);
    Map<String, @Nullable Object> say = step.say();
    if (say != null) {
      link.sayNow(Wire.line(say), now());
      dirty.add(link);
    }
    Member found = step.peer();
    if (!step.refused().isEmpty()) {
      if (!link.dialled.isEmpty()) {
        receiver.accept(new Input.Refused(link.dialled, step.refused()));
      }
      writeAll();
      drop(link);
    } else if (found != null && Names.same(found, self)) {
      drop(link);
    } else if (found != null) {
      strangers--;
      link.established(found);
      dirty.add(link);
      lookups.reached(link.dialled);
      byAddress.put(Names.address(found), link);
    }
  }

  private void connect(Lookups.Found found) {
    String address = found.address();
    InetSocketAddress target = found.target();
    if (target == null || byAddress.containsKey(address)) {
      lookups.failed(address);
      return;
    }
    try {
      SocketChannel channel = SocketChannel.open();
      Link link = add(channel, SelectionKey.OP_CONNECT, address);
      byAddress.put(address, link);
      found.lines().forEach(line -> link.say(line, now()));
      try {
        if (channel.connect(target)) {
          greet(link);
        }
      } catch (IOException | UnresolvedAddressException e) {
        drop(link);
      }
    } catch (IOException e) {
      lookups.failed(address);
    }
  }

  private void drop(Link link) {
    if (!links.remove(link)) {
      return;
    }
    dirty.remove(link);
    Member peer = link.peer;
    if (peer == null) {
      strangers--;
    } else {
      byAddress.remove(Names.address(peer), link);
    }
    if (!link.dialled.isEmpty()) {
      byAddress.remove(link.dialled, link);
      if (peer == null) {
        lookups.failed(link.dialled);
      }
    }
    link.close();
  }

  private void sweep() {
    long now = now();
    if (now < sweepAt) {
      return;
    }
    sweepAt = now + SWEEP;
    for (Link link : List.copyOf(links)) {
      if (link.hopeless(now)) {
        drop(link);
      }
    }
  }

  private long now() {
    return (System.nanoTime() - startNanos) / 1_000_000;
  }

  @Override
  public void close() {
    List.copyOf(links).forEach(this::drop);
    try (selector) {
      if (listener != null) {
        listener.close();
      }
    } catch (IOException _) {
      // Nothing is left to save.
    }
  }
}
