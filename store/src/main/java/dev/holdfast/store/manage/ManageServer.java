package dev.holdfast.store.manage;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.store.server.Notices;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * Listens for those who manage a store: on a socket in the file system, for its owner alone, and on
 * a TCP port for whoever has the token. Each is answered on a thread of its own, line by line, and
 * none can hold another up: lines are bounded, every wait ends, and there are only so many at once.
 * Of those who have not asked anything, or not shown the token, the first ones make room for
 * others.
 */
public final class ManageServer implements AutoCloseable {
  private static final int LOCAL = 64;
  private static final int REMOTE = 1024;
  private static final int LONGEST_REQUEST = 32 << 20;
  private static final int LONGEST_HELLO = 4096;

  /** Of the requests of all together. */
  private static final int REQUESTS = 2 * LONGEST_REQUEST;

  private static final int WAITING_LOCAL = 128;
  private static final int WAITING_REMOTE = 1024;
  private static final Duration HELLO = Duration.ofSeconds(5);
  private static final Duration IDLE = Duration.ofMinutes(10);
  private static final Duration REQUEST = Duration.ofSeconds(10);
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final long ACCEPT_PAUSE_NANOS = 100_000_000;

  private final Requests requests;
  private final Notices notices;
  private final Strikes strikes = new Strikes(System::nanoTime);
  private final List<ServerSocketChannel> listeners = new ArrayList<>();
  private final Set<SocketChannel> peers = ConcurrentHashMap.newKeySet();
  private final Semaphore room = LineChannel.room(REQUESTS);
  private final Path file;
  private volatile boolean closing;

  private ManageServer(Path file, Requests requests, Notices notices) {
    this.file = file;
    this.requests = requests;
    this.notices = notices;
  }

  /** Listens on a socket in the file system. */
  public static ManageServer open(Path file, Requests requests, Notices notices)
      throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.deleteIfExists(file);
    ManageServer server = new ManageServer(file.toAbsolutePath(), requests, notices);
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.listeners.add(listener);
    try {
      listener.bind(UnixDomainSocketAddress.of(file), WAITING_LOCAL);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      String owner = Files.getOwner(file).getName();
      server.serve(listener, LOCAL, (peer, visitors) -> server.session(peer, visitors, owner));
    } catch (IOException | UnsupportedOperationException e) {
      listener.close();
      throw new IOException("cannot listen on " + file + ": " + e.getMessage(), e);
    }
    return server;
  }

  /** Listens on a TCP port too; returns it. */
  public int listen(InetSocketAddress address, Token token) throws IOException {
    // Of one family, so that 0.0.0.0 does not mean the IPv6 addresses too.
    boolean six = address.getAddress() instanceof Inet6Address;
    ServerSocketChannel listener =
        ServerSocketChannel.open(six ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
    try {
      listener.bind(address, WAITING_REMOTE);
    } catch (IOException taken) {
      listener.close();
      throw new IOException("cannot listen on " + address + ": " + taken.getMessage(), taken);
    }
    listeners.add(listener);
    serve(listener, REMOTE, (peer, visitors) -> remoteSession(peer, visitors, token));
    return listener.socket().getLocalPort();
  }

  private interface Session {
    void run(SocketChannel peer, Visitors visitors) throws IOException;
  }

  private void serve(ServerSocketChannel listener, int most, Session session) {
    Visitors visitors = new Visitors(most);
    Thread.ofPlatform()
        .name("store managers")
        .daemon()
        .start(
            () -> {
              while (listener.isOpen()) {
                accept(listener, visitors, session);
              }
            });
  }

  private void accept(ServerSocketChannel listener, Visitors visitors, Session session) {
    try {
      SocketChannel peer = listener.accept();
      peers.add(peer);
      visitors.came(peer);
      Thread.ofVirtual()
          .name("store manager")
          .start(
              () -> {
                try (peer) {
                  if (!closing) {
                    session.run(peer, visitors);
                  }
                } catch (IOException gone) {
                  // Whoever asked went away, was too slow, or we are closing.
                } catch (RuntimeException defect) {
                  notices.tell("manage defect", () -> "a request to manage failed: " + defect);
                } finally {
                  peers.remove(peer);
                  visitors.left(peer);
                }
              });
    } catch (IOException closingOrFull) {
      // Without a free descriptor the peer stays in line, and asking at once again would spin.
      LockSupport.parkNanos(ACCEPT_PAUSE_NANOS);
    }
  }

  /** The file's rights keep others out; this sees those who came before the rights were set. */
  private void session(SocketChannel peer, Visitors visitors, String owner) throws IOException {
    String user = peer.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
    if (user.equals(owner) || user.equals("root")) {
      answerAll(LineChannel.sharing(peer, room), peer, visitors);
    } else {
      notices.tell("managers", () -> user + " may not manage this store");
    }
  }

  private void remoteSession(SocketChannel peer, Visitors visitors, Token token)
      throws IOException {
    String address =
        peer.getRemoteAddress() instanceof InetSocketAddress from
            ? from.getAddress().getHostAddress()
            : "unknown";
    if (strikes.out(address)) {
      notices.tell("wrong token", () -> address + " has given too many wrong tokens");
      return;
    }
    LineChannel lines = LineChannel.sharing(peer, room);
    String challenge = Token.challenge();
    lines.write(
        Json.line(Json.map("schema", "holdfast.store-hello/1", "challenge", challenge)), HELLO);
    String proof = lines.read(LONGEST_HELLO, HELLO).map(ManageServer::proof).orElse("");
    if (token.proves(challenge, proof)) {
      if (!admitted(peer, visitors)) {
        return;
      }
      lines.write(Json.line(Json.map("schema", "holdfast.store-answer/1", "ok", true)), HELLO);
      answerAll(lines, peer, visitors);
      return;
    }
    strikes.wrong(address);
    notices.tell("wrong token", () -> address + " has no right token to manage the store");
  }

  private static String proof(String line) {
    try {
      return Fields.of("hello", Json.read(line)).text("proof", "");
    } catch (IllegalArgumentException garbage) {
      return "";
    }
  }

  private boolean admitted(SocketChannel peer, Visitors visitors) {
    boolean room = visitors.admit(peer);
    if (!room) {
      notices.tell("managers", () -> "too many who manage the store at once; one was refused");
    }
    return room;
  }

  private void answerAll(LineChannel lines, SocketChannel peer, Visitors visitors)
      throws IOException {
    try (lines) {
      while (!closing && lines.begins(IDLE)) {
        Optional<String> line = lines.read(LONGEST_REQUEST, REQUEST);
        if (line.isEmpty() || !admitted(peer, visitors)) {
          return;
        }
        lines.write(requests.answer(line.get()), ANSWER);
      }
    }
  }

  @Override
  public void close() throws IOException {
    closing = true;
    @Nullable IOException failed = null;
    for (ServerSocketChannel listener : listeners) {
      try {
        listener.close();
      } catch (IOException e) {
        failed = e;
      }
    }
    for (SocketChannel peer : peers) {
      peer.close();
    }
    Files.deleteIfExists(file);
    if (failed != null) {
      throw failed;
    }
  }
}
