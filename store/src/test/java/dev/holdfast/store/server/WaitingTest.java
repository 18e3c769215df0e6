package dev.holdfast.store.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.store.protocol.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is woken when, and what happens to those who give up, go away or misbehave. */
class WaitingTest {
  private final List<String> log = new CopyOnWriteArrayList<>();

  @SuppressWarnings("NullAway.Init") // every test starts one
  private StoreServer server;

  private int start(int threads, Limits limits) throws IOException {
    server =
        StoreServer.start(
            StoreOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withThreads(threads)
                .with(limits),
            log::add);
    return server.port();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** All the store had to say; it is told by a thread of its own, so only the end is certain. */
  private List<String> said() {
    server.close();
    return log;
  }

  /** Looks at the store until so many clients wait. */
  private StoreView untilWaiting(int clients) {
    for (int i = 0; i < 10_000; i++) {
      StoreView view = server.view();
      if (view.peers().stream().filter(peer -> !peer.waitsFor().isEmpty()).count() == clients) {
        return view;
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("never " + clients + " clients waiting");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aWaitEndsWhenTheLastKeyIsThere(int threads) throws IOException {
    int port = start(threads, Limits.DEFAULT);
    try (TestPeer waiter = new TestPeer(port).hello();
        TestPeer setter = new TestPeer(port).hello()) {
      waiter.send(TestPeer.counted(6, 3, "/a", "/b", "/a"));
      untilWaiting(1);
      setter.ask(1, "/a", "1");
      assertThat(waiter.silent(50)).isTrue();
      setter.ask(1, "/b", "");
      assertThat(waiter.octet()).isZero();
    }
  }

  @Test
  void aCancelledWaitIsForgotten() throws IOException {
    int port = start(1, Limits.DEFAULT);
    try (TestPeer waiter = new TestPeer(port).hello();
        TestPeer setter = new TestPeer(port).hello()) {
      waiter.send(TestPeer.counted(6, 1, "/a")).hex("0c");
      assertThat(waiter.octet()).isOne();
      setter.ask(1, "/a", "1").hex("07");
      assertThat(setter.number()).isOne();
      assertThat(waiter.silent(50)).isTrue();
      waiter.hex("07");
      assertThat(waiter.number()).isOne();
    }
  }

  @Test
  void anOldClientThatTimedOutIsNotWokenIntoItsNextAnswer() throws IOException {
    int port = start(1, Limits.DEFAULT);
    try (TestPeer waiter = new TestPeer(port);
        TestPeer setter = new TestPeer(port)) {
      waiter.send(TestPeer.counted(5, 1, "/x"));
      waiter.send(TestPeer.numbered(3, "/c", 1));
      assertThat(waiter.number()).isOne();
      setter.ask(0, "/x", "1").hex("06");
      assertThat(setter.number()).isEqualTo(2);
      waiter.send(TestPeer.numbered(3, "/c", 1));
      assertThat(waiter.number()).as("not shifted by a stale byte").isEqualTo(2);
    }
  }

  @Test
  void aDeletedKeyIsNotAwaitedAgainAndDeletingWakesNobody() throws IOException {
    int port = start(1, Limits.DEFAULT);
    try (TestPeer waiter = new TestPeer(port).hello();
        TestPeer setter = new TestPeer(port).hello()) {
      setter.ask(1, "/a", "1").hex("07");
      setter.number();
      waiter.send(TestPeer.counted(6, 2, "/a", "/b"));
      untilWaiting(1);
      setter.ask(8, "/a");
      assertThat(setter.number()).isOne();
      assertThat(waiter.silent(50)).isTrue();
      setter.ask(1, "/b", "1");
      assertThat(waiter.octet()).isZero();
    }
  }

  @Test
  void oneWaiterIsWokenForOneThingInAQueue() throws IOException {
    int port = start(1, Limits.DEFAULT);
    try (TestPeer first = new TestPeer(port).hello();
        TestPeer second = new TestPeer(port).hello();
        TestPeer pusher = new TestPeer(port).hello()) {
      first.send(TestPeer.counted(6, 1, "/q"));
      untilWaiting(1);
      second.send(TestPeer.counted(6, 1, "/q"));
      untilWaiting(2);
      pusher.ask(0x0e, "/q", "v");
      assertThat(first.octet()).isZero();
      assertThat(second.silent(50)).isTrue();
      first.ask(0x0f, "/q");
      assertThat(first.number()).isOne();
      assertThat(first.text()).isEqualTo("v");
      pusher.ask(0x0e, "/q", "w");
      assertThat(second.octet()).isZero();
    }
  }

  @Test
  void aBarrierOpensForAllWhenTheLastOneComes() throws IOException {
    int port = start(1, Limits.DEFAULT);
    try (TestPeer one = new TestPeer(port).hello();
        TestPeer two = new TestPeer(port).hello();
        TestPeer three = new TestPeer(port).hello()) {
      one.send(TestPeer.numbered(0x12, "/bar", 3));
      two.send(TestPeer.numbered(0x12, "/bar", 3));
      untilWaiting(2);
      three.send(TestPeer.numbered(0x12, "/bar", 3));
      assertThat(List.of(one.octet(), two.octet(), three.octet())).containsOnly(0);
    }
  }

  @Test
  void garbageClosesOnlyTheOneThatSentIt() throws IOException {
    int port = start(1, Limits.DEFAULT);
    try (TestPeer good = new TestPeer(port).hello();
        TestPeer scanner = new TestPeer(port);
        TestPeer probe = new TestPeer(port)) {
      scanner.send("GET / HTTP/1.1\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      assertThat(scanner.closed()).isTrue();
      probe.close();
      good.hex("07");
      assertThat(good.number()).isZero();
    }
    assertThat(said())
        .singleElement()
        .asString()
        .contains("no request of PyTorch's begins with byte 71");
  }

  @Test
  void limitsCloseTheConnectionWithAReason() throws IOException {
    int port = start(1, new Limits(16, 64, 4, 512, 4096, 1024, 1 << 20, 100));
    for (byte[] bad :
        List.of(
            TestPeer.request(1, "/a-key-that-is-far-too-long", "v"),
            TestPeer.request(1, "/k", "v".repeat(65)),
            TestPeer.counted(6, 5, "/a", "/b", "/c", "/d", "/e"),
            TestPeer.counted(6, -1))) {
      try (TestPeer peer = new TestPeer(port).hello()) {
        peer.send(bad);
        assertThat(peer.closed()).isTrue();
      }
    }
    assertThat(said())
        .hasSize(4)
        .anyMatch(line -> line.contains("a key of 27 bytes; the limit is 16"))
        .anyMatch(line -> line.contains("a value of 65 bytes; the limit is 64"))
        .anyMatch(line -> line.contains("a request with 5 keys"))
        .anyMatch(line -> line.contains("18446744073709551615 keys"));
  }

  @Test
  void aFullStoreRefusesAndGoesOn() throws IOException {
    int port = start(1, new Limits(64, 64, 4, 512, 4096, 1024, 1 << 20, 100));
    try (TestPeer greedy = new TestPeer(port).hello();
        TestPeer other = new TestPeer(port).hello()) {
      java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
      for (int i = 0; i < 30; i++) {
        all.writeBytes(TestPeer.request(1, "/key" + i, "v".repeat(60)));
      }
      greedy.send(all.toByteArray());
      assertThat(greedy.closed()).isTrue();
      other.hex("07");
      assertThat(other.number()).isBetween(3L, 10L);
    }
    assertThat(said()).singleElement().asString().contains("the store is full");
  }

  @Test
  void whatAFullStoreRefusedLeavesNothingBehind() throws IOException {
    int port = start(1, new Limits(64, 900, 16, 4096, 4096, 1024, 1 << 20, 100));
    String large = "v".repeat(900);
    String[] keys = new String[16];
    java.util.Arrays.setAll(keys, i -> "/wanted" + i);
    for (byte[] tooMuch :
        List.of(
            TestPeer.request(1, "/a-key-of-some-length/a-key-of-some-length", large),
            TestPeer.request(0x0e, "/a-queue-of-some-name/a-queue-of-some-name", large),
            TestPeer.counted(6, 16, keys))) {
      try (TestPeer peer = new TestPeer(port).hello()) {
        peer.send(tooMuch);
        assertThat(peer.closed()).isTrue();
      }
    }
    assertThat(server.view().totals().bytes()).isZero();
    assertThat(said()).hasSize(3);
  }

  @Test
  void askingForTooMuchAtOnceClosesOnlyTheOneThatAsked() throws IOException {
    int port = start(2, Limits.DEFAULT);
    String[] keys = new String[1000];
    java.util.Arrays.fill(keys, "/large");
    try (TestPeer other = new TestPeer(port).hello();
        TestPeer greedy = new TestPeer(port).hello()) {
      greedy.ask(1, "/large", "x".repeat(8 << 20)).send(TestPeer.counted(0x0a, 1000, keys));
      while (log.isEmpty()) {
        other.hex("07");
        assertThat(other.number()).isBetween(0L, 1L);
      }
      try (TestPeer late = new TestPeer(port).hello()) {
        late.hex("07");
        assertThat(late.number()).isOne();
      }
    }
    assertThat(said()).singleElement().asString().contains("asks for more than 64 MiB");
  }

  @Test
  void countingUpAWordIsRefused() throws IOException {
    int port = start(1, Limits.DEFAULT);
    try (TestPeer peer = new TestPeer(port).hello()) {
      peer.ask(1, "/word", "four").send(TestPeer.numbered(4, "/word", 1));
      assertThat(peer.closed()).isTrue();
    }
    assertThat(said()).singleElement().asString().contains("not a number");
  }

  @Test
  void beingOutOfDescriptorsIsSaidOnceNotTenTimesASecond() throws IOException {
    start(1, Limits.DEFAULT);
    server.acceptFailed(-24);
    server.acceptFailed(-24);
    assertThat(said()).singleElement().asString().contains("too many open files");
  }

  @Test
  void aPortThatIsTakenCostsNoDescriptors() throws IOException {
    int port = start(1, Limits.DEFAULT);
    StoreOptions same =
        StoreOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .withThreads(16);
    long before = descriptors();
    for (int i = 0; i < 4; i++) {
      assertThatThrownBy(() -> StoreServer.start(same, log::add))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot listen");
    }
    assertThat(descriptors()).isLessThan(before + 64);
  }

  private static long descriptors() throws IOException {
    try (var files = java.nio.file.Files.list(java.nio.file.Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }

  @Test
  @Timeout(9)
  void threadsThatDoNotAnswerAreWaitedForTogether() throws IOException {
    start(4, Limits.DEFAULT);
    server.close();
    assertThat(server.view().peers()).isEmpty();
  }

  @Test
  void strangersAreNotLetIn() throws IOException {
    assertThat(AccessList.of(List.of("10.1.0.0/16")).allows(new byte[] {10, 1, 2, 3})).isTrue();
    assertThat(AccessList.of(List.of("10.1.0.0/16")).allows(new byte[] {10, 2, 2, 3})).isFalse();
    assertThat(AccessList.of(List.of()).allows(new byte[] {127, 0, 0, 1})).isTrue();
    assertThat(AccessList.of(List.of()).allows(new byte[] {8, 8, 8, 8})).isFalse();
    start(1, Limits.DEFAULT);
  }

  @Test
  void theViewTellsWhoWaitsForWhat() throws IOException {
    int port = start(2, Limits.DEFAULT);
    try (TestPeer waiter = new TestPeer(port).hello();
        TestPeer other = new TestPeer(port)) {
      waiter.send(TestPeer.counted(6, 1, "/barrier"));
      other.send(TestPeer.numbered(3, "init/", 1));
      other.number();
      StoreView view = untilWaiting(1);
      assertThat(view.joined()).isOne();
      assertThat(view.peers()).hasSize(2);
      StoreView.Peer waiting =
          view.peers().stream().filter(p -> !p.waitsFor().isEmpty()).findFirst().orElseThrow();
      assertThat(waiting.waitsFor()).containsExactly("/barrier");
      assertThat(waiting.process()).isEqualTo(400);
      assertThat(waiting.dialect()).isEqualTo("C");
    }
  }
}
