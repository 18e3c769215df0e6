package dev.holdfast.store.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.protocol.Operation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever asks for much in one go gets it, but others are served before he has it all. */
@Timeout(120)
class TurnsTest {
  private static final int KEYS = 6000;
  private static final int LISTS = 1200;

  private final List<String> log = new CopyOnWriteArrayList<>();

  private StoreServer start() throws IOException {
    return StoreServer.start(
        StoreOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).withThreads(1),
        log::add);
  }

  private static long done(StoreServer server, Operation operation) {
    return server.totals().operations().getOrDefault(operation, 0L);
  }

  @Test
  void othersAreServedWhileSomebodyHasAThousandListsComing() throws IOException {
    try (StoreServer server = start();
        TestPeer much = new TestPeer(server.port()).hello();
        TestPeer other = new TestPeer(server.port()).hello()) {
      ByteArrayOutputStream sets = new ByteArrayOutputStream();
      for (int i = 0; i < KEYS; i++) {
        sets.writeBytes(TestPeer.request(1, "/key/%04d".formatted(i), ""));
      }
      sets.write(7);
      assertThat(other.send(sets.toByteArray()).number()).isEqualTo(KEYS);
      byte[] lists = new byte[LISTS];
      Arrays.fill(lists, (byte) 17);
      much.send(lists);
      while (done(server, Operation.LIST_KEYS) == 0) {
        Thread.onSpinWait();
      }
      // More than what may be unread at once, so what comes later is done when this is read.
      for (int i = 0; i < 100; i++) {
        assertThat(other.hex("07").number()).isEqualTo(KEYS);
      }
      assertThat(done(server, Operation.LIST_KEYS)).isLessThan(LISTS);
      for (int list = 0; list < LISTS; list++) {
        assertThat(much.number()).isEqualTo(KEYS);
        much.receive(KEYS * (8 + 9));
      }
      assertThat(much.hex("07").number()).isEqualTo(KEYS);
      assertThat(server.totals().droppedInAll()).isZero();
    }
    assertThat(log).isEmpty();
  }

  @Test
  void requestsOfAllSizesAreAnsweredInTheirOrder() throws IOException {
    String large = "x".repeat(1 << 20);
    try (StoreServer server = start();
        TestPeer peer = new TestPeer(server.port()).hello()) {
      ByteArrayOutputStream asks = new ByteArrayOutputStream();
      for (int i = 0; i < 20; i++) {
        asks.writeBytes(TestPeer.numbered(5 - 1, "/n", 1));
        asks.writeBytes(TestPeer.request(1, "/large", large + i));
        asks.writeBytes(TestPeer.numbered(5 - 1, "/n", 1));
        asks.writeBytes(TestPeer.request(3, "/large"));
        asks.writeBytes(TestPeer.request(9, "/large", "y"));
      }
      Thread sender = Thread.ofVirtual().start(() -> peer.sendWhatItTakes(asks.toByteArray()));
      for (int i = 0; i < 20; i++) {
        assertThat(peer.number()).isEqualTo(2 * i + 1);
        assertThat(peer.number()).isEqualTo(2 * i + 2);
        assertThat(peer.text()).isEqualTo(large + i);
      }
      sender.join();
      assertThat(server.totals().droppedInAll()).isZero();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  @Test
  void whoGoesWhileItsTurnIsStillToComeIsForgotten() throws IOException {
    try (StoreServer server = start();
        TestPeer other = new TestPeer(server.port()).hello()) {
      ByteArrayOutputStream sets = new ByteArrayOutputStream();
      for (int i = 0; i < KEYS; i++) {
        sets.writeBytes(TestPeer.request(1, "/key/%04d".formatted(i), ""));
      }
      sets.write(7);
      assertThat(other.send(sets.toByteArray()).number()).isEqualTo(KEYS);
      byte[] lists = new byte[LISTS];
      Arrays.fill(lists, (byte) 17);
      try (TestPeer much = new TestPeer(server.port()).hello()) {
        much.send(lists);
      }
      while (server.totals().connections() > 1 || server.totals().buffered() > 0) {
        Thread.onSpinWait();
      }
      assertThat(other.hex("07").number()).isEqualTo(KEYS);
    }
  }
}
