package dev.holdfast.store.manage;

import dev.holdfast.core.text.Json;
import dev.holdfast.store.server.StoreServer;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.locks.LockSupport;

/**
 * Answers whoever connects to a socket in the file system with what can be seen of the store, in
 * one JSON document. Only its owner may connect; nothing can be changed through it.
 */
public final class StatusSocket implements AutoCloseable {
  /** Ten thousand connections are about three megabytes. */
  private static final int LARGEST_ANSWER = 64 << 20;

  private static final long ACCEPT_PAUSE_NANOS = 100_000_000;

  private final Path file;
  private final ServerSocketChannel listener;

  private StatusSocket(Path file, ServerSocketChannel listener) {
    this.file = file;
    this.listener = listener;
  }

  public static StatusSocket open(Path file, StoreServer store) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.deleteIfExists(file);
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      listener.bind(UnixDomainSocketAddress.of(file));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      listener.close();
      throw e;
    }
    Thread.ofPlatform()
        .name("store status")
        .daemon()
        .start(
            () -> {
              while (listener.isOpen()) {
                accept(listener, store);
              }
            });
    return new StatusSocket(file, listener);
  }

  /** Each is answered on a thread of its own: one that does not read holds nobody up. */
  private static void accept(ServerSocketChannel listener, StoreServer store) {
    try {
      SocketChannel peer = listener.accept();
      Thread.ofVirtual().name("store status answer").start(() -> answer(peer, store));
    } catch (IOException closingOrFull) {
      // Without a free descriptor the peer stays in line, and asking at once again would spin.
      LockSupport.parkNanos(ACCEPT_PAUSE_NANOS);
    }
  }

  private static void answer(SocketChannel accepted, StoreServer store) {
    try (SocketChannel peer = accepted) {
      byte[] json = Json.pretty(StatusJson.of(store.view())).getBytes(StandardCharsets.UTF_8);
      ByteBuffer bytes = ByteBuffer.wrap(json);
      while (bytes.hasRemaining()) {
        peer.write(bytes);
      }
    } catch (IOException gone) {
      // Whoever asked went away, or we are closing.
    }
  }

  /** What the store behind this socket answers. */
  public static String ask(Path file) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      byte[] bytes = Channels.newInputStream(channel).readNBytes(LARGEST_ANSWER);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    Files.deleteIfExists(file);
  }
}
