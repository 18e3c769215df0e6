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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that each stay within their own limits must not together use up the store's memory. */
@Timeout(120)
class BuffersTest {
  private static final int TOTAL = 16 << 20;

  /** What one read brings is counted before somebody is sent away for it. */
  private static final int ONE_READ = 64 << 10;

  private static final String LARGE = "x".repeat(4 << 20);
  private final List<String> log = new CopyOnWriteArrayList<>();

  private StoreServer start() throws IOException {
    return start(1);
  }

  private StoreServer start(int threads) throws IOException {
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
            .withThreads(threads),
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
      assertThat(server.totals().buffered()).isLessThanOrEqualTo(TOTAL + ONE_READ);
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
      good.ask(1, "/large", LARGE).hex("07");
      assertThat(good.number()).isOne();
      ByteArrayOutputStream asks = new ByteArrayOutputStream();
      for (int i = 0; i < 5; i++) {
        asks.writeBytes(TestPeer.request(1, "/own", LARGE)); // a value of its own each time
        asks.writeBytes(TestPeer.request(3, "/own"));
      }
      for (int i = 0; i < 6; i++) {
        TestPeer peer = new TestPeer(server.port()).hello();
        lazy.add(peer);
        peer.sendWhatItTakes(asks.toByteArray());
      }
      untilDropped(server, good, DropReason.BUFFERS);
      assertThat(server.totals().buffered()).isLessThanOrEqualTo(TOTAL + ONE_READ);
      good.ask(3, "/large");
      assertThat(good.text()).hasSize(4 << 20);
      assertThat(server.view().cutOff())
          .isNotEmpty()
          .allSatisfy(
              cut -> {
                assertThat(cut.reason()).isEqualTo(DropReason.BUFFERS);
                assertThat(cut.peer().process()).isEqualTo(400);
              });
      for (TestPeer peer : lazy) {
        peer.close();
      }
    }
  }

  @Test
  void aValueManyReadSlowlyCostsItsMemoryOnceAndNobodyHisConnection() throws IOException {
    List<TestPeer> slow = new ArrayList<>();
    try (StoreServer server = start(2);
        TestPeer good = new TestPeer(server.port()).hello()) {
      good.ask(1, "/large", LARGE).hex("07");
      assertThat(good.number()).isOne();
      ByteArrayOutputStream gets = new ByteArrayOutputStream();
      for (int i = 0; i < 10; i++) {
        gets.writeBytes(TestPeer.request(3, "/large"));
      }
      for (int i = 0; i < 10; i++) {
        slow.add(new TestPeer(server.port()).hello().send(gets.toByteArray()));
      }
      for (TestPeer peer : slow) {
        for (int i = 0; i < 10; i++) {
          assertThat(peer.text()).isEqualTo(LARGE);
          assertThat(server.totals().buffered()).isLessThan(5 << 20);
        }
        peer.close();
      }
      while (server.totals().buffered() > 0) {
        Thread.onSpinWait();
      }
      assertThat(server.totals().droppedInAll()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void theSlowestGoesFirstNotTheLastOneAndNotTheSmallest(int threads) throws IOException {
    byte[] request = TestPeer.request(1, "/k", "x".repeat(6 << 20));
    byte[] most = Arrays.copyOf(request, request.length - 1);
    byte[] last = {request[request.length - 1], 7};
    try (StoreServer server = start(threads);
        TestPeer small = new TestPeer(server.port()).hello();
        TestPeer first = new TestPeer(server.port()).hello();
        TestPeer second = new TestPeer(server.port()).hello();
        TestPeer third = new TestPeer(server.port()).hello()) {
      small.send(Arrays.copyOf(request, 100));
      untilBuffered(server, 100);
      first.send(most);
      untilBuffered(server, 6 << 20);
      second.send(most);
      untilBuffered(server, 12 << 20);
      third.send(most);
      assertThat(first.closed()).isTrue();
      assertThat(second.send(last).number()).isOne();
      assertThat(third.send(last).number()).isOne();
      small.send(Arrays.copyOfRange(request, 100, request.length)).hex("07");
      assertThat(small.number()).isOne();
    }
    assertThat(log).singleElement().asString().contains("(process 400) closed: it is the slowest");
  }

  private static void untilBuffered(StoreServer server, long bytes) {
    while (server.totals().buffered() < bytes) {
      Thread.onSpinWait();
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
