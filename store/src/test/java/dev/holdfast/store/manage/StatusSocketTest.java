package dev.holdfast.store.manage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Json;
import dev.holdfast.store.server.StoreOptions;
import dev.holdfast.store.server.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who asks how a store is gets an answer, whatever others do who ask. */
class StatusSocketTest {
  /** So many that their answer does not fit in the buffers of a socket. */
  private static final int CONNECTIONS = 1500;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void oneWhoAsksAndDoesNotReadHoldsNobodyUp() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    Path file = folder.resolve("status.sock");
    List<Socket> peers = new ArrayList<>();
    try (StoreServer store =
            StoreServer.start(
                StoreOptions.at(new InetSocketAddress(loopback, 0)).withThreads(1), _ -> {});
        StatusSocket status = StatusSocket.open(file, store)) {
      for (int i = 0; i < CONNECTIONS; i++) {
        peers.add(new Socket(loopback, store.port()));
      }
      while (store.view().peers().size() < CONNECTIONS) {
        Thread.onSpinWait();
      }
      try (SocketChannel silent = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
        assertThat(silent.isConnected()).isTrue();
        assertThat(Json.object(StatusSocket.ask(file)).get("connections"))
            .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
            .hasSize(CONNECTIONS);
      }
      for (Socket peer : peers) {
        peer.close();
      }
      assertThat(status).isNotNull();
    }
  }
}
