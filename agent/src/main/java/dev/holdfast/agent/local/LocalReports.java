package dev.holdfast.agent.local;

import dev.holdfast.core.report.Report;
import dev.holdfast.core.text.Unicode;
import dev.holdfast.os.process.Heartbeats;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import jdk.net.ExtendedSocketOptions;

/**
 * The socket on which programs of this node tell what they know: JSON lines in, one answer a line.
 * Everybody may open it; the kernel says who it is, and {@link LocalRules} what that one may say.
 * Bounded in everything: lines, rate by user, connections by user and in all.
 */
public final class LocalReports implements AutoCloseable {
  private static final int CONNECTIONS = 128;
  private static final int CONNECTIONS_OF_ONE = 32;
  private static final long ACCEPT_PAUSE_NANOS = 100_000_000;

  private final Path file;
  private final ServerSocketChannel listener;
  private final Hearing hearing;
  private final Semaphore places = new Semaphore(CONNECTIONS);
  private final Map<String, Rate> rates = new ConcurrentHashMap<>();
  private final Map<String, Semaphore> ofOne = new ConcurrentHashMap<>();
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();

  private LocalReports(Path file, ServerSocketChannel listener, Hearing hearing) {
    this.file = file;
    this.listener = listener;
    this.hearing = hearing;
  }

  /** Who hears what is said here. */
  public interface Hearing {
    /** Takes a line; says what is wrong with it, if anything. */
    Taken take(LocalPeer peer, String line);

    /** It went away, with or without a word. */
    void gone(LocalPeer peer);
  }

  public static LocalReports open(Path file, Hearing hearing, Heartbeats heartbeats)
      throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.deleteIfExists(file);
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      listener.bind(UnixDomainSocketAddress.of(file));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    } catch (IOException | RuntimeException problem) {
      listener.close();
      throw problem;
    }
    LocalReports reports = new LocalReports(file, listener, hearing);
    Thread thread = Thread.ofPlatform().name("local reports").daemon().unstarted(reports::serve);
    heartbeats.expect("taking local reports", thread);
    thread.start();
    return reports;
  }

  private void serve() {
    while (listener.isOpen()) {
      try {
        SocketChannel peer = listener.accept();
        if (places.tryAcquire()) {
          open.add(peer);
          Thread.ofVirtual().name("local report").start(() -> converse(peer));
        } else {
          peer.close();
        }
      } catch (IOException closingOrFull) {
        // Without a free descriptor the peer stays in line, and asking at once again would spin.
        LockSupport.parkNanos(ACCEPT_PAUSE_NANOS);
      }
    }
  }

  private void converse(SocketChannel accepted) {
    Semaphore mine = new Semaphore(0);
    try (SocketChannel peer = accepted) {
      String user = peer.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
      Semaphore share = ofOne.computeIfAbsent(user, _ -> new Semaphore(CONNECTIONS_OF_ONE));
      if (!share.tryAcquire()) {
        new LocalPeer(user, peer).answer(Taken.not("too many connections of " + user));
        return;
      }
      mine = share;
      LocalPeer known = new LocalPeer(user, peer);
      try {
        lines(peer, known, rates.computeIfAbsent(user, _ -> new Rate(System::nanoTime)));
      } finally {
        hearing.gone(known);
      }
    } catch (IOException gone) {
      // Whoever spoke went away.
    } finally {
      mine.release();
      open.remove(accepted);
      places.release();
    }
  }

  private void lines(SocketChannel peer, LocalPeer known, Rate rate) throws IOException {
    ByteBuffer line = ByteBuffer.allocate(Report.MAX_LINE);
    ByteBuffer buffer = ByteBuffer.allocate(8192);
    while (peer.read(buffer) >= 0) {
      buffer.flip();
      while (buffer.hasRemaining()) {
        byte next = buffer.get();
        if (next != '\n' && !line.hasRemaining()) {
          known.answer(Taken.not("a line longer than " + Report.MAX_LINE + " bytes"));
          return;
        }
        if (next != '\n') {
          line.put(next);
          continue;
        }
        line.flip();
        heard(known, line, rate);
        line.clear();
      }
      buffer.clear();
    }
  }

  private void heard(LocalPeer known, ByteBuffer line, Rate rate) throws IOException {
    String text;
    int length = line.remaining();
    try {
      text = Unicode.text(line);
    } catch (IllegalArgumentException broken) {
      known.answer(Taken.not("the line is " + broken.getMessage()));
      return;
    }
    if (!text.isBlank()) {
      known.answer(
          rate.allows(length)
              ? hearing.take(known, text)
              : Taken.not("too many lines; wait a second"));
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (SocketChannel peer : open) {
      peer.close();
    }
    Files.deleteIfExists(file);
  }
}
