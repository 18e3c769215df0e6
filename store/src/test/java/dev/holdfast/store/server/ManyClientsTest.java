package dev.holdfast.store.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thousands of clients at once, and what happens to the others when many go. */
class ManyClientsTest {
  private static final int CLIENTS = 1500;
  private final List<String> log = new CopyOnWriteArrayList<>();

  private StoreServer start(int threads) throws IOException {
    return StoreServer.start(
        StoreOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .withThreads(threads),
        log::add);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void oneSetWakesAllWhoWait(int threads) throws IOException {
    try (StoreServer server = start(threads)) {
      List<TestPeer> peers = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        peers.add(new TestPeer(server.port()).hello().send(TestPeer.counted(6, 1, "/go")));
      }
      while (server.view().peers().stream().filter(p -> p.waitsFor().isEmpty()).count() > 0) {
        Thread.onSpinWait();
      }
      try (TestPeer setter = new TestPeer(server.port()).hello()) {
        setter.ask(1, "/go", "1");
        for (TestPeer peer : peers) {
          assertThat(peer.octet()).isZero();
        }
      }
      for (TestPeer peer : peers) {
        peer.close();
      }
    }
    assertThat(log).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void countersOfManyAreExact(int threads) throws IOException {
    try (StoreServer server = start(threads)) {
      List<TestPeer> peers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        peers.add(new TestPeer(server.port()).hello());
      }
      byte[] add = TestPeer.numbered(4, "/sum", 1);
      for (int round = 0; round < 20; round++) {
        for (TestPeer peer : peers) {
          peer.send(add);
        }
        for (TestPeer peer : peers) {
          assertThat(peer.number()).isBetween(1L, 4000L);
        }
      }
      try (TestPeer reader = new TestPeer(server.port()).hello()) {
        reader.ask(3, "/sum");
        assertThat(reader.text()).isEqualTo("4000");
      }
      for (TestPeer peer : peers) {
        peer.close();
      }
    }
  }

  @Test
  void clientsThatGoWhileTheyWaitLeaveNothingBehind() throws IOException {
    try (StoreServer server = start(1)) {
      for (int i = 0; i < 500; i++) {
        new TestPeer(server.port())
            .hello()
            .send(TestPeer.counted(6, 2, "/never", "/k" + i))
            .close();
      }
      while (!server.view().peers().isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(server.view().totals().bytes()).isZero();
    }
  }

  @Test
  void aClientThatDoesNotReadIsDroppedAndOthersAreNotHeldUp() throws IOException {
    try (StoreServer server = start(1);
        TestPeer lazy = new TestPeer(server.port()).hello();
        TestPeer busy = new TestPeer(server.port()).hello()) {
      busy.ask(1, "/large", "x".repeat(4 << 20)).hex("07");
      assertThat(busy.number()).isOne();
      byte[] get = TestPeer.request(3, "/large");
      for (int i = 0; i < 40; i++) {
        try {
          lazy.send(get);
        } catch (IOException dropped) {
          break;
        }
      }
      busy.hex("07");
      assertThat(busy.number()).isOne();
      for (int i = 0; i < 10_000 && log.isEmpty(); i++) {
        server.view();
      }
    }
    assertThat(log).singleElement().asString().contains("it does not read its answers");
  }
}
