package dev.holdfast.store.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.protocol.DropReason;
import dev.holdfast.store.protocol.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Those who have not greeted, or stop in the middle, beside those who have and wait. */
@Timeout(120)
class StrangersTest {
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final Notices notices = new Notices(log::add, System::nanoTime);
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5); // it may wrap
  private final List<TestPeer> peers = new ArrayList<>();

  private StoreServer start(Limits limits) throws IOException {
    return StoreServer.start(
        StoreOptions.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .with(limits)
            .withThreads(1),
        Shared.of(limits, notices, clock::get),
        "");
  }

  private TestPeer stranger(StoreServer server) throws IOException {
    TestPeer peer = new TestPeer(server.port());
    peers.add(peer);
    return peer;
  }

  @AfterEach
  void end() throws IOException {
    for (TestPeer peer : peers) {
      peer.close();
    }
    notices.close();
  }

  private void pass(int seconds) {
    clock.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void halfAGreetingIsEndedSoonHalfARequestLaterAndAWaitNever() throws IOException {
    try (StoreServer server = start(Limits.DEFAULT)) {
      TestPeer silent = stranger(server);
      TestPeer half = stranger(server).hex("00 ce f7");
      TestPeer old = stranger(server).send(new byte[] {3, 2}); // half an ADD of dialect A
      TestPeer rank = stranger(server).hello().hex("01 01 00 00 00");
      TestPeer waiting = stranger(server).hello().send(TestPeer.counted(6, 1, "/never"));
      while (server.totals().buffered() < 10 || server.totals().waiting() < 1) {
        Thread.onSpinWait();
      }
      pass(9);
      rank.hex("00"); // a byte now and then is enough
      pass(2);
      assertThat(half.closed()).isTrue();
      assertThat(old.closed()).isTrue();
      assertThat(server.totals().connections()).isEqualTo(3);
      rank.hex("00 00");
      while (server.totals().buffered() < 8) {
        Thread.onSpinWait();
      }
      pass(3600);
      assertThat(rank.closed()).isTrue();
      assertThat(server.totals().connections()).isEqualTo(2);
      silent.hex("00 ce f7 85 3c 07");
      assertThat(silent.number()).as("who came long ago may greet still").isZero();
      waiting.hex("0c");
      assertThat(waiting.octet()).isOne();
      assertThat(server.totals().dropped())
          .containsEntry(DropReason.GREETING, 2L)
          .containsEntry(DropReason.STALLED, 1L);
      assertThat(server.view().cutOff())
          .singleElement()
          .satisfies(cut -> assertThat(cut.reason()).isEqualTo(DropReason.STALLED));
    }
  }

  @Test
  void aFirstRequestIsSmall() throws IOException {
    try (StoreServer server = start(Limits.DEFAULT)) {
      TestPeer large = stranger(server).ask(0, "/k", "v".repeat(17 << 10));
      assertThat(large.closed()).isTrue();
      TestPeer small = stranger(server).ask(0, "/k".repeat(4 << 10), "v".repeat(7 << 10));
      small.ask(0, "/k", "v".repeat(17 << 10)).hex("06");
      assertThat(small.number()).isEqualTo(2);
    }
    notices.close();
    assertThat(log).singleElement().asString().contains("a first request of more than 16 KiB");
  }

  @Test
  void whenAllPlacesAreTakenThoseWhoNeverGreetedMakeRoom() throws IOException {
    try (StoreServer server = start(Limits.DEFAULT.withConnections(4))) {
      TestPeer rank = stranger(server).hello();
      for (int i = 0; i < 50; i++) {
        stranger(server);
      }
      TestPeer late = stranger(server).hello();
      TestPeer later = stranger(server).hello();
      rank.ask(1, "/k", "v").hex("07");
      assertThat(rank.number()).isOne();
      TestPeer last = stranger(server).hello();
      assertThat(stranger(server).closed()).as("one too many of those who greeted").isTrue();
      for (TestPeer peer : List.of(rank, late, later, last)) {
        peer.hex("07");
        assertThat(peer.number()).isOne();
      }
      assertThat(server.totals().dropped()).containsEntry(DropReason.PLACE, 50L);
      assertThat(server.totals().refused()).isOne();
      assertThat(server.totals().connections()).isEqualTo(4);
    }
  }
}
