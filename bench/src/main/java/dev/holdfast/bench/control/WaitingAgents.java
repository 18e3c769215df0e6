package dev.holdfast.bench.control;

import dev.holdfast.os.server.ServerAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Agents that wait for something to be asked of them, each on a connection of its own. */
final class WaitingAgents implements AutoCloseable {
  private static final int WAIT_SECONDS = 30;

  private final List<SocketChannel> open = new ArrayList<>();

  /** Connects and asks; the answers come when they have waited in vain. */
  WaitingAgents(ServerAddress address, int many) throws IOException {
    InetSocketAddress place =
        new InetSocketAddress(address.uri().getHost(), address.uri().getPort());
    try {
      for (int i = 0; i < many; i++) {
        SocketChannel channel = SocketChannel.open(place);
        open.add(channel);
        String request =
            "GET /api/v1/requests?wait=%d&source=node/waiting-%d HTTP/1.1\r\nHost: %s:%d\r\nAuthorization: Bearer %s\r\n\r\n"
                .formatted(
                    WAIT_SECONDS,
                    i,
                    address.uri().getHost(),
                    address.uri().getPort(),
                    address.token());
        ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      }
    } catch (IOException refused) {
      int got = open.size();
      close();
      throw new IOException("after " + got + " connections: " + refused.getMessage(), refused);
    }
  }

  /** How many were not hung up on. */
  long alive() throws IOException {
    long count = 0;
    ByteBuffer some = ByteBuffer.allocate(1);
    for (SocketChannel channel : open) {
      channel.configureBlocking(false);
      some.clear();
      count += channel.read(some) >= 0 ? 1 : 0;
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel channel : open) {
      channel.close();
    }
  }
}
