package dev.holdfast.store.manage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.text.Json;
import dev.holdfast.store.attempts.Lease;
import dev.holdfast.store.attempts.OpenOrder;
import dev.holdfast.store.attempts.PortRange;
import dev.holdfast.store.attempts.StoreRefused;
import dev.holdfast.store.ranks.RankName;
import dev.holdfast.store.ranks.RankState;
import dev.holdfast.store.server.StoreOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store that is managed, by way of its sockets, as a launcher does. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManageTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Token TOKEN = Token.of("0123456789abcdef");

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private final List<String> log = new CopyOnWriteArrayList<>();

  @SuppressWarnings("NullAway.Init") // made before each test
  private ManagedStore store;

  @BeforeEach
  void start() throws IOException {
    StoreOptions options = StoreOptions.at(new InetSocketAddress(LOOPBACK, 0)).withThreads(1);
    store =
        ManagedStore.start(
            new ManagedStore.Options(
                options,
                new PortRange(23_000, 24_999),
                folder.resolve("state"),
                socket(),
                new InetSocketAddress(LOOPBACK, 0),
                TOKEN),
            log::add);
  }

  @AfterEach
  void end() throws IOException {
    store.close();
    assertThat(socket()).doesNotExist();
  }

  private Path socket() {
    return folder.resolve("manage.sock");
  }

  private StoreClient local() {
    return StoreClient.unix(socket(), PATIENCE);
  }

  private static OpenOrder order(int attempt, long term, List<RankName> ranks) {
    return new OpenOrder("job", attempt, term, 3, List.of("10.9.8.7"), ranks);
  }

  /** A client of PyTorch 2.5 or later with this process number that waits for a key, or not. */
  private static Socket rank(int port, int process, String key) throws IOException {
    Socket client = new Socket(LOOPBACK, port);
    client.setSoTimeout(20_000);
    byte number = (byte) process;
    client
        .getOutputStream()
        .write(new byte[] {0, (byte) 0xce, (byte) 0xf7, (byte) 0x85, 0x3c, 13, number, 0, 0, 0});
    assertThat(client.getInputStream().readNBytes(4)).containsExactly(number, 0, 0, 0);
    if (!key.isEmpty()) {
      byte[] text = key.getBytes(StandardCharsets.US_ASCII);
      byte[] wait = new byte[17 + text.length];
      wait[0] = 6;
      wait[1] = 1;
      wait[9] = (byte) text.length;
      System.arraycopy(text, 0, wait, 17, text.length);
      client.getOutputStream().write(wait);
    }
    return client;
  }

  @Test
  void aLauncherLeadsOpensLooksAndCloses() throws IOException {
    try (StoreClient client = local()) {
      Lease lease = client.claim("job", "node1", 0, Duration.ofSeconds(30));
      assertThat(lease.granted()).isTrue();
      int port =
          client.open(
              order(
                  0,
                  lease.term(),
                  List.of(new RankName(0, "n1", "", 70), new RankName(1, "n1", "", 71))));
      client.name("job", 0, List.of(new RankName(2, "n2", "127.0.0.1", 72)));
      List<Socket> ranks = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        ranks.add(rank(port, 70 + i, i == 1 ? "" : "/meet"));
      }
      List<RankState> seen = client.ranks("job", 0);
      while (seen.stream().filter(one -> !one.waitsFor().isEmpty()).count() < 2) {
        seen = client.ranks("job", 0);
      }
      assertThat(seen).extracting(RankState::rank).containsExactly(0, 1, 2);
      assertThat(seen).extracting(RankState::node).containsExactly("n1", "n1", "n2");
      assertThat(seen.get(1).waitsFor()).isEmpty();
      assertThat(seen.get(2).waitsFor()).containsExactly("/meet");
      assertThat(StatusText.of(client.status(port).getFirst()))
          .contains("job attempt 0", "rank 1 is the only one not in /meet");
      assertThat(client.metrics())
          .contains(
              "holdfast_store_attempts_open 1\n",
              "holdfast_store_connections{job=\"job\",attempt=\"0\",port=\"%d\"} 3\n"
                  .formatted(port),
              "holdfast_store_waiting{job=\"job\",attempt=\"0\",port=\"%d\"} 2\n".formatted(port),
              ",operation=\"wait\"} 2\n",
              ",reason=\"garbage\"} 0\n",
              "holdfast_store_buffered_bytes_limit ");
      assertThat(client.jobs()).hasSize(1);
      client.renew("job", "node1", lease.term(), Duration.ofSeconds(30));
      client.close("job", 0, lease.term());
      for (Socket rank : ranks) {
        assertThat(rank.getInputStream().read()).isEqualTo(-1);
        rank.close();
      }
      assertThat(client.ranks("job", 0)).isEmpty();
      assertThatThrownBy(() -> client.open(order(0, lease.term(), List.of())))
          .isInstanceOf(StoreRefused.class)
          .hasMessageContaining("attempt 0 of job is not new");
      client.release("job", "node1", lease.term());
    }
  }

  @Test
  void overTcpTheTokenIsNeededAndGuessingIsStopped() throws IOException {
    String host = LOOPBACK.getHostAddress();
    try (StoreClient good = StoreClient.tcp(host, store.managePort(), TOKEN, PATIENCE)) {
      assertThat(good.claim("job", "n", 0, Duration.ofSeconds(5)).granted()).isTrue();
      Token wrong = Token.of("fedcba9876543210");
      for (int i = 0; i < 5; i++) {
        try (StoreClient bad = StoreClient.tcp(host, store.managePort(), wrong, PATIENCE)) {
          assertThatThrownBy(bad::jobs).hasMessageContaining("does not accept the token");
        }
      }
      try (StoreClient late = StoreClient.tcp(host, store.managePort(), TOKEN, PATIENCE)) {
        assertThatThrownBy(late::jobs).isInstanceOf(IOException.class);
      }
      assertThat(good.jobs()).as("who is in already").hasSize(1);
    }
    store.close();
    assertThat(log)
        .anyMatch(line -> line.contains("127.0.0.1 has no right token"))
        .noneMatch(line -> line.contains("0123456789abcdef"));
  }

  @Test
  void withoutTheRightAnswerNothingIsAnsweredOverTcp() throws IOException {
    for (String line :
        List.of(
            "{\"request\":\"jobs\"}",
            "{\"request\":\"hello\",\"proof\":\"\"}",
            "{\"request\":\"hello\",\"proof\":7}",
            "x".repeat(10_000))) {
      try (Socket raw = new Socket(LOOPBACK, store.managePort())) {
        raw.setSoTimeout(20_000);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(raw.getInputStream(), StandardCharsets.UTF_8));
        assertThat(in.readLine()).contains("challenge");
        raw.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        assertThat(endOf(in)).isTrue();
      }
    }
  }

  private static boolean endOf(BufferedReader in) throws IOException {
    try {
      return in.readLine() == null;
    } catch (java.net.SocketException reset) {
      return true;
    }
  }

  @Test
  void wrongRequestsAreAnsweredAndTheConnectionGoesOn() throws IOException {
    try (LineChannel raw =
        new LineChannel(SocketChannel.open(UnixDomainSocketAddress.of(socket())))) {
      for (String line :
          List.of(
              "nonsense",
              "[]",
              "{\"id\":4,\"request\":\"dance\"}",
              "{\"request\":\"open\",\"job\":\"\",\"attempt\":0}",
              "{\"request\":\"open\",\"job\":\"a\",\"attempt\":\"first\"}",
              "{\"request\":\"open\",\"job\":\"a\",\"attempt\":0,\"ranks\":[{\"rank\":-1}]}")) {
        raw.write(line, PATIENCE);
        String answer = raw.read(1 << 20, PATIENCE).orElseThrow();
        assertThat(Json.object(answer)).as(line).containsEntry("ok", false).containsKey("why");
      }
      raw.write("{\"request\":\"jobs\",\"id\":5}", PATIENCE);
      assertThat(Json.object(raw.read(1 << 20, PATIENCE).orElseThrow()))
          .containsEntry("ok", true)
          .containsEntry("id", 5L);
    }
  }

  @Test
  void thoseWhoSayNothingOrHalfARequestMakeRoomForThoseWhoAsk() throws IOException {
    List<SocketChannel> others = new ArrayList<>();
    try (StoreClient first = local()) {
      assertThat(first.jobs()).isEmpty();
      for (int i = 0; i < 200; i++) {
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket()));
        others.add(channel);
        if (i % 2 == 0) {
          write(channel, "{\"request\":");
        }
      }
      assertThat(first.jobs()).as("who has asked stays").isEmpty();
      try (StoreClient late = local()) {
        assertThat(late.jobs()).as("who comes late is answered").isEmpty();
      }
    }
    for (SocketChannel channel : others) {
      channel.close();
    }
  }

  private static void write(SocketChannel channel, String text) {
    try {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException madeRoom) {
      // It is one of those that had to go.
    }
  }

  @Test
  void thoseWithoutTheTokenMakeRoomForThoseWhoHaveIt() throws IOException {
    List<Socket> others = new ArrayList<>();
    String host = LOOPBACK.getHostAddress();
    try (StoreClient first = StoreClient.tcp(host, store.managePort(), TOKEN, PATIENCE)) {
      assertThat(first.jobs()).isEmpty();
      for (int i = 0; i < 1200; i++) {
        others.add(new Socket(LOOPBACK, store.managePort()));
      }
      assertThat(first.jobs()).as("who is in stays").isEmpty();
      try (StoreClient late = StoreClient.tcp(host, store.managePort(), TOKEN, PATIENCE)) {
        assertThat(late.jobs()).as("who comes late is answered").isEmpty();
      }
    }
    for (Socket other : others) {
      other.close();
    }
  }

  @Test
  void longRequestsOfManyAreBoundedTogether() throws IOException {
    List<SocketChannel> others = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      others.add(SocketChannel.open(UnixDomainSocketAddress.of(socket())));
    }
    ByteBuffer piece = ByteBuffer.wrap(" ".repeat(1 << 20).getBytes(StandardCharsets.UTF_8));
    int cut = 0;
    for (SocketChannel channel : others) {
      try {
        for (int i = 0; i < 30; i++) { // of 32 MiB, so each alone would be read to its end
          piece.rewind();
          while (piece.hasRemaining()) {
            channel.write(piece);
          }
        }
      } catch (IOException closed) {
        cut++;
      }
    }
    assertThat(cut).isBetween(1, 2);
    try (StoreClient client = local()) {
      assertThat(client.jobs()).isEmpty();
    }
    for (SocketChannel channel : others) {
      channel.close();
    }
  }

  @Test
  void aStoreThatDoesNotAnswerIsGivenUpInTime() throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 5, LOOPBACK);
        StoreClient client =
            StoreClient.tcp(
                LOOPBACK.getHostAddress(), mute.getLocalPort(), TOKEN, Duration.ofMillis(200))) {
      assertThatThrownBy(client::jobs).hasMessageContaining("no answer within");
    }
    try (StoreClient nobody = StoreClient.unix(folder.resolve("none.sock"), PATIENCE)) {
      assertThatThrownBy(nobody::jobs).isInstanceOf(IOException.class);
    }
  }

  @Test
  void theOwnerAloneMayOpenTheSocketAndATokenEverybodyReadsIsNone() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())))
        .isEqualTo("rw-------");
    Path file = Files.writeString(folder.resolve("token"), "0123456789abcdef\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> Token.read(file)).hasMessageContaining("chmod 600");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    String challenge = Token.challenge();
    assertThat(TOKEN.proves(challenge, Token.read(file).proof(challenge))).isTrue();
    assertThatThrownBy(() -> Token.of("short")).hasMessageContaining("openssl rand");
  }

  @Test
  void whenItIsReadyItSaysHowItIsReached() {
    assertThat(store.ready())
        .containsEntry("schema", "holdfast.store-ready/1")
        .containsEntry("socket", socket().toString())
        .containsEntry("manage", "127.0.0.1:" + store.managePort());
  }
}
