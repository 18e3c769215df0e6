package dev.holdfast.control.api.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.access.Caller;
import dev.holdfast.control.access.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who leaves when there are too many, and when what takes too long is closed. */
class GateTest {
  private static final int CONNECTIONS = 12;
  private static final int STRANGERS_OF_ADDRESS = 4;
  private static final int OF_TOKEN = 2;
  private static final int BODIES = 1 << 20;
  private static final long ANSWERS = 3 << 20;

  private final AtomicLong nanos = new AtomicLong(1);
  private final Gate gate =
      new Gate(
          new GateLimits(
              CONNECTIONS,
              8,
              STRANGERS_OF_ADDRESS,
              OF_TOKEN,
              3,
              BODIES,
              ANSWERS,
              2,
              1,
              Duration.ofSeconds(10),
              Duration.ofSeconds(60),
              Duration.ofSeconds(10),
              Duration.ofSeconds(30),
              Duration.ofSeconds(5)),
          nanos::get);
  private final List<SocketChannel> clients = new ArrayList<>();
  private ServerSocketChannel server;

  @BeforeEach
  void listen() throws IOException {
    server =
        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void close() throws IOException {
    for (SocketChannel client : clients) {
      client.close();
    }
    server.close();
    gate.close();
  }

  private record Here(SocketChannel channel, SocketAddress remote) {
    boolean stays() {
      return channel.isOpen();
    }
  }

  /** Somebody connects from an address of the loopback. */
  private Here come(String from) throws IOException {
    SocketChannel client = SocketChannel.open();
    clients.add(client);
    client.bind(new InetSocketAddress(from, 0));
    client.connect(server.getLocalAddress());
    SocketChannel channel = server.accept();
    gate.arrived(channel);
    return new Here(channel, channel.getRemoteAddress());
  }

  private Here known(String token) throws IOException {
    Here here = come("127.0.0.1");
    gate.known(here.remote(), new Caller(token, Role.AGENT, token));
    return here;
  }

  private List<Here> come(String from, int many) throws IOException {
    List<Here> all = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      all.add(come(from));
    }
    return all;
  }

  private void pass(Duration time) {
    // In steps as the gate looks, or it takes them for a pause of the process.
    for (long left = time.toMillis(); left > 0; left -= 500) {
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(Math.min(500, left)));
      gate.look();
    }
  }

  @Test
  void theOldestStrangerOfACrowdedAddressMakesRoomAndOtherAddressesKeepTheirs() throws IOException {
    Here other = come("127.0.0.2");
    List<Here> same = come("127.0.0.1", STRANGERS_OF_ADDRESS + 2);
    assertThat(same).extracting(Here::stays).containsExactly(false, false, true, true, true, true);
    assertThat(other.stays()).isTrue();
    assertThat(gate.connections()).isEqualTo(STRANGERS_OF_ADDRESS + 1);
  }

  @Test
  void whoIsBeingAnsweredLeavesAfterWhoWaitsForNothing() throws IOException {
    Here answered = come("127.0.0.1");
    gate.answering(answered.remote());
    List<Here> silent = come("127.0.0.1", STRANGERS_OF_ADDRESS - 1);
    pass(Duration.ofMillis(500));
    come("127.0.0.1");
    assertThat(answered.stays()).isTrue();
    assertThat(silent.getFirst().stays()).isFalse();
  }

  @Test
  void aHalfBodyMakesRoomAsAHalfHeadDoes() throws IOException {
    List<Here> halves = come("127.0.0.1", STRANGERS_OF_ADDRESS);
    halves.forEach(it -> gate.room(it.remote()));
    pass(Duration.ofMillis(500));
    Here newcomer = come("127.0.0.1");
    Here next = come("127.0.0.1");
    assertThat(halves).extracting(Here::stays).containsExactly(false, false, true, true);
    assertThat(newcomer.stays()).isTrue();
    assertThat(next.stays()).isTrue();
  }

  @Test
  void whoDoesNotReadHisAnswerMakesRoomForWhoJustCame() throws IOException {
    List<Here> deaf = come("127.0.0.1", STRANGERS_OF_ADDRESS);
    deaf.forEach(it -> gate.answering(it.remote()));
    pass(Duration.ofSeconds(2));
    List<Here> newcomers = come("127.0.0.1", 2);
    assertThat(deaf).extracting(Here::stays).containsExactly(false, false, true, true);
    assertThat(newcomers).allMatch(Here::stays);
  }

  @Test
  void aTokenTakesAConnectionOutOfTheCrowdOfItsAddress() throws IOException {
    Here agent = known("node/n1");
    Here person = known("ada");
    come("127.0.0.1", STRANGERS_OF_ADDRESS * 2);
    assertThat(agent.stays()).isTrue();
    assertThat(person.stays()).isTrue();
  }

  @Test
  void oneTokenHasOnlySoManyConnections() throws IOException {
    List<Here> mine = List.of(known("node/n1"), known("node/n1"), known("node/n1"));
    Here other = known("node/n2");
    assertThat(mine).extracting(Here::stays).containsExactly(false, true, true);
    assertThat(other.stays()).isTrue();
  }

  @Test
  void aFullProcessSendsStrangersAwayBeforeThoseItKnows() throws IOException {
    List<Here> agents = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS - 1; i++) {
      agents.add(known("node/n" + i));
    }
    List<Here> strangers = come("127.0.0.3", 2);
    assertThat(agents).allMatch(Here::stays);
    assertThat(strangers).extracting(Here::stays).containsExactly(false, true);
  }

  @Test
  void aRequestThatDoesNotComeIsClosed() throws IOException {
    Here stranger = come("127.0.0.1");
    Here agent = known("node/n1");
    pass(Duration.ofSeconds(10));
    assertThat(stranger.stays()).isTrue();
    pass(Duration.ofSeconds(1));
    assertThat(stranger.stays()).isFalse();
    assertThat(agent.stays()).as("who showed a token may rest longer").isTrue();
    pass(Duration.ofSeconds(50));
    assertThat(agent.stays()).isFalse();
    assertThat(gate.connections()).isZero();
  }

  @Test
  void aBodyHasLongerTheMoreOfItComes() throws IOException {
    Here slow = known("node/n1");
    try (Room room = gate.room(slow.remote())) {
      pass(Duration.ofSeconds(9));
      room.take(50);
      pass(Duration.ofSeconds(2));
    }
    assertThat(slow.stays()).as("50 bytes are no progress").isFalse();
    Here steady = known("node/n2");
    try (Room room = gate.room(steady.remote())) {
      for (int i = 0; i < 12; i++) {
        assertThat(room.take((int) GateLimits.BYTES_A_SECOND)).isTrue();
        pass(Duration.ofSeconds(1));
      }
    }
    assertThat(steady.stays()).isTrue();
  }

  @Test
  void anAnswerThatGetsOnMayTakeLong() throws IOException {
    Here listener = come("127.0.0.1");
    gate.answering(listener.remote());
    for (int i = 0; i < 4; i++) {
      pass(Duration.ofSeconds(20));
      gate.progress(listener.remote());
    }
    assertThat(listener.stays()).isTrue();
    pass(Duration.ofSeconds(31));
    assertThat(listener.stays()).isFalse();
  }

  @Test
  void aProcessThatWasStoppedOwesItsGuestsThatTime() throws IOException {
    Here guest = come("127.0.0.1");
    nanos.addAndGet(Duration.ofHours(1).toNanos());
    gate.look();
    assertThat(guest.stays()).isTrue();
    pass(Duration.ofSeconds(11));
    assertThat(guest.stays()).isFalse();
  }

  @Test
  void aSpentBudgetGivesTheSlowestBodyUp() throws IOException {
    Here slow = known("node/n1");
    Room first = gate.room(slow.remote());
    assertThat(first.take(BODIES)).isTrue();
    pass(Duration.ofSeconds(1));
    Here quick = known("node/n2");
    try (Room second = gate.room(quick.remote())) {
      second.take(10); // refused: nobody gives the room back here
      assertThat(slow.stays()).isFalse();
      assertThat(quick.stays()).isTrue();
      first.close();
      assertThat(second.take(10)).isTrue();
    }
    try (Room third = gate.room(quick.remote())) {
      assertThat(third.take(BODIES)).as("everything was given back").isTrue();
    }
  }

  @Test
  void whoReadsTheSlowestIsCutOffWhenAnswersNeedRoom() throws IOException {
    Here deaf = known("node/n1");
    Here reads = known("node/n2");
    Share first = gate.roomForAnswer(deaf.remote(), 400_000).orElseThrow();
    Share second = gate.roomForAnswer(reads.remote(), 400_000).orElseThrow();
    pass(Duration.ofMillis(500));
    gate.sent(reads.remote(), 1 << 20);
    Here newcomer = known("node/n3");
    Share third = gate.roomForAnswer(newcomer.remote(), 400_000).orElseThrow();
    assertThat(deaf.stays()).isFalse();
    assertThat(reads.stays()).isTrue();
    assertThat(newcomer.stays()).isTrue();
    assertThat(first.room()).as("the room of who was sent away is free").isZero();
    gate.out(deaf.remote(), first);
    gate.out(reads.remote(), second);
    gate.out(newcomer.remote(), third);
    assertThat(gate.answerBytes()).as("each room is given back once").isZero();
  }

  @Test
  void whoIsCrowdedOutOrLeavesGivesTheRoomOfHisAnswerBack() throws IOException {
    Here left = known("node/n1");
    Share share = gate.roomForAnswer(left.remote(), 400_000).orElseThrow();
    assertThat(gate.answerBytes()).isEqualTo(share.room());
    left.channel().close();
    gate.look();
    assertThat(gate.answerBytes()).isZero();
    gate.out(left.remote(), share);
    assertThat(gate.answerBytes()).isZero();
  }

  @Test
  void nobodyIsCutOffBeforeHeCouldRead() throws IOException {
    Here one = known("node/n1");
    Here other = known("node/n2");
    assertThat(gate.roomForAnswer(one.remote(), ANSWERS)).as("never more than all").isPresent();
    assertThat(gate.roomForAnswer(other.remote(), 100_000)).isEmpty();
    assertThat(one.stays()).isTrue();
    assertThat(gate.roomForAnswer(other.remote(), 1_000)).as("small ones always go").isPresent();
  }

  @Test
  void whoLeftIsForgotten() throws IOException {
    Here here = come("127.0.0.1");
    here.channel().close();
    gate.look();
    assertThat(gate.connections()).isZero();
  }
}
