package dev.holdfast.store.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.protocol.DropReason;
import dev.holdfast.store.protocol.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Clients that each stay within their own limits must not together use up the store's memory. */
class BuffersTest {
  private static final int TOTAL = 16 << 20;
  private final List<String> log = new CopyOnWriteArrayList<>();

  private StoreServer start() throws IOException {
    Limits all = Limits.DEFAULT;
    Limits limits =
        new Limits(
            all.key(),
            all.value(),
            all.count(),
            all.request(),
            all.backlog(),
            64 << 20,
            TOTAL,
            all.connections());
    return StoreServer.start(
        StoreOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .with(limits)
            .withThreads(1),
        log::add);
  }

  @Test
  void unfinishedRequestsOfManyAreBoundedTogether() throws IOException {
    List<TestPeer> slow = new ArrayList<>();
    try (StoreServer server = start();
        TestPeer good = new TestPeer(server.port()).hello()) {
      byte[] whole = TestPeer.request(1, "/k", "x".repeat(4 << 20));
      for (int i = 0; i < 12; i++) {
        TestPeer peer = new TestPeer(server.port()).hello();
        slow.add(peer);
        peer.send(Arrays.copyOf(whole, whole.length - 1));
        good.hex("07");
        assertThat(good.number()).isBetween(0L, 1L);
      }
      untilDropped(server, good, DropReason.BUFFERS);
      assertThat(server.totals().buffered()).isLessThanOrEqualTo(TOTAL);
      for (TestPeer peer : slow) {
        peer.close();
      }
      while (server.totals().connections() > 1) {
        Thread.onSpinWait();
      }
      assertThat(server.totals().buffered()).isZero();
    }
    assertThat(log).first().asString().contains("all clients hold more than 16 MiB");
  }

  @Test
  void unreadAnswersOfManyAreBoundedTogether() throws IOException {
    List<TestPeer> lazy = new ArrayList<>();
    try (StoreServer server = start();
        TestPeer good = new TestPeer(server.port()).hello()) {
      good.ask(1, "/large", "x".repeat(4 << 20)).hex("07");
      assertThat(good.number()).isOne();
      ByteArrayOutputStream gets = new ByteArrayOutputStream();
      for (int i = 0; i < 4; i++) {
        gets.writeBytes(TestPeer.request(3, "/large"));
      }
      for (int i = 0; i < 6; i++) {
        lazy.add(new TestPeer(server.port()).hello().send(gets.toByteArray()));
      }
      untilDropped(server, good, DropReason.BUFFERS);
      good.ask(3, "/large");
      assertThat(good.text()).hasSize(4 << 20);
      for (TestPeer peer : lazy) {
        peer.close();
      }
    }
  }

  private static void untilDropped(StoreServer server, TestPeer good, DropReason reason)
      throws IOException {
    for (int i = 0; i < 20_000; i++) {
      Long count = server.totals().dropped().get(reason);
      if (count != null && count > 0) {
        return;
      }
      good.hex("07");
      good.number();
    }
    throw new AssertionError("nobody was dropped");
  }
}
