package dev.holdfast.os.net;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * Questions and answers over a socket in the file system that only its owner may open: one line
 * asked, everything until the end answered. Who asks and then does nothing is cut off, and so are
 * more than a few at once: a service in trouble must still be able to say so.
 */
public final class LocalService implements AutoCloseable {
  private static final int LONGEST_QUESTION = 64 << 10;
  private static final int LARGEST_ANSWER = 64 << 20;
  private static final int ASKERS = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long ACCEPT_PAUSE_NANOS = 100_000_000;

  private final Path file;
  private final ServerSocketChannel listener;
  private final UnaryOperator<String> answer;
  private final Semaphore places = new Semaphore(ASKERS);

  private LocalService(Path file, ServerSocketChannel listener, UnaryOperator<String> answer) {
    this.file = file;
    this.listener = listener;
    this.answer = answer;
  }

  /**
   * @param answer called on a thread of its own for each question
   */
  public static LocalService open(Path file, UnaryOperator<String> answer) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.deleteIfExists(file);
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      listener.bind(UnixDomainSocketAddress.of(file));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
    LocalService service = new LocalService(file, listener, answer);
    Thread.ofPlatform().name("local service").daemon().start(service::serve);
    return service;
  }

  private void serve() {
    while (listener.isOpen()) {
      try {
        SocketChannel peer = listener.accept();
        if (places.tryAcquire()) {
          Thread.ofVirtual().name("local answer").start(() -> converse(peer));
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
    try (SocketChannel peer = accepted) {
      String question;
      try (Deadline _ = Deadline.of(peer, PATIENCE)) {
        question = line(peer);
      }
      // How long an answer may take is for whoever gives it; the peer is not to blame.
      String said = answer.apply(question);
      try (Deadline _ = Deadline.of(peer, PATIENCE)) {
        write(peer, said);
      }
    } catch (IOException gone) {
      // Whoever asked went away or took too long, or we are closing.
    } finally {
      places.release();
    }
  }

  /** Asks the service behind this file; the whole takes no longer than the deadline. */
  public static String ask(Path file, String question, Duration deadline) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(file));
        Deadline end = Deadline.of(channel, deadline)) {
      try {
        write(channel, question + "\n");
        // There is no other question: whoever answers several at a time ends after this one.
        channel.shutdownOutput();
        return read(channel, LARGEST_ANSWER, false);
      } catch (IOException cut) {
        throw end.passed()
            ? new IOException("no answer within " + deadline.toMillis() + " ms", cut)
            : cut;
      }
    }
  }

  private static String line(SocketChannel peer) throws IOException {
    return read(peer, LONGEST_QUESTION, true);
  }

  private static String read(SocketChannel peer, int limit, boolean oneLine) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(8192);
    while (peer.read(buffer) >= 0) {
      buffer.flip();
      while (buffer.hasRemaining()) {
        byte next = buffer.get();
        if (oneLine && next == '\n') {
          return text(bytes);
        }
        bytes.write(next);
      }
      buffer.clear();
      if (bytes.size() > limit) {
        throw new IOException("more than " + limit + " bytes");
      }
    }
    return text(bytes);
  }

  /** Bytes that are no UTF-8 are an error: a replaced letter would be another name. */
  private static String text(ByteArrayOutputStream bytes) throws IOException {
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(bytes.toByteArray()))
        .toString();
  }

  private static void write(SocketChannel peer, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      peer.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    Files.deleteIfExists(file);
  }
}
