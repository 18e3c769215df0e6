package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/** Where do the others find this launcher? */
final class Listener {
  private static final int BACKLOG = 4_096;
  private static final int A_TIME = 256;

  private final ServerSocketChannel server;

  private Listener(ServerSocketChannel server) {
    this.server = server;
  }

  /**
   * @param must whether no other port will do
   */
  static Listener open(int port, boolean must, Selector selector) {
    try {
      ServerSocketChannel server = listen(port, must);
      server.configureBlocking(false);
      server.register(selector, SelectionKey.OP_ACCEPT);
      return new Listener(server);
    } catch (IOException e) {
      throw new HoldfastException(
          ErrorCode.CANNOT_SERVE,
          "launchers cannot meet on port " + port + ": " + e.getMessage(),
          e);
    }
  }

  private static ServerSocketChannel listen(int port, boolean must) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      return server.bind(new InetSocketAddress(port), BACKLOG);
    } catch (IOException e) {
      server.close();
      if (must || port == 0) {
        throw e;
      }
      return listen(0, true);
    }
  }

  int port() {
    try {
      return server.getLocalAddress() instanceof InetSocketAddress at ? at.getPort() : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void accept(Consumer<SocketChannel> callers) {
    try {
      for (int i = 0; i < A_TIME; i++) {
        SocketChannel channel = server.accept();
        if (channel == null) {
          return;
        }
        callers.accept(channel);
      }
    } catch (IOException _) {
      // Out of file descriptors or a connection that is gone again: the next one may be well.
    }
  }

  void close() throws IOException {
    server.close();
  }
}
