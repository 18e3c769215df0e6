package dev.holdfast.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.Lead;
import dev.holdfast.control.access.Audit;
import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.access.Role;
import dev.holdfast.control.access.ServerIdentity;
import dev.holdfast.control.access.Tokens;
import dev.holdfast.control.evidence.Notary;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.testing.Rules;
import dev.holdfast.os.process.Heartbeats;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The port as strangers use it: bytes on a socket. */
class DoorTest {
  private static final int PATIENCE_MILLIS = 30_000;

  @TempDir Path folder;
  private final List<Socket> sockets = new ArrayList<>();
  private Tokens tokens;
  private ControlPlane control;

  @BeforeEach
  void serve() throws Exception {
    tokens = Tokens.open(folder, Clock.systemUTC(), _ -> {});
    control = serve(Optional.empty(), folder.resolve("journal"));
  }

  private ControlPlane serve(Optional<ServerIdentity> identity, Path journal) throws Exception {
    return new ControlPlane(
        Lead.of(Journal.embedded(journal)),
        Rules.usual(),
        _ -> Rules.usual(),
        List.of(),
        Notary.inMemory(),
        new Entrance(tokens, Audit.inMemory(), false, identity, Set.of()),
        "127.0.0.1",
        0,
        Clock.systemUTC(),
        new Heartbeats());
  }

  @AfterEach
  void close() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
    control.close();
  }

  private Socket send(int port, String bytes) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    sockets.add(socket);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  /** What is answered until the connection is closed. */
  private String answer(String bytes) throws IOException {
    return rest(send(control.port(), bytes));
  }

  private static String rest(Socket socket) throws IOException {
    try (InputStream in = socket.getInputStream()) {
      return new String(in.readNBytes(1 << 20), StandardCharsets.UTF_8);
    } catch (SocketTimeoutException open) {
      throw open;
    } catch (IOException reset) {
      return ""; // closed with our bytes unread
    }
  }

  private static String post(String path, String headers) {
    return "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n".formatted(path, headers);
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token + "\r\n";
  }

  @Test
  void aStrangersLargeBodyIsRefusedBeforeItComes() throws IOException {
    assertThat(answer(post("/api/v1/enrol", "Content-Length: 4097\r\n")))
        .startsWith("HTTP/1.1 413")
        .contains("4096 are taken here");
  }

  @Test
  void aBodyWithoutARightTokenIsRefusedBeforeItComes() throws IOException {
    assertThat(answer(post("/api/v1/reports", "Content-Length: 4000000\r\n")))
        .startsWith("HTTP/1.1 401");
    assertThat(
            answer(
                post("/api/v1/reports", bearer("hf_" + "a".repeat(43)) + "Content-Length: 9\r\n")))
        .startsWith("HTTP/1.1 401");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Content-Length: 0x10\r\n",
        "Content-Length: +5\r\n"
      })
  void aBodyOfUnclearLengthIsRefusedAtOnce(String framing) throws IOException {
    String token = bearer(tokens.admin());
    assertThat(answer(post("/api/v1/pause", token + framing)))
        .matches("(?s)HTTP/1\\.1 (400|411|413|501) .*");
  }

  @Test
  void nothingIsTakenWithAQuestion() throws IOException {
    assertThat(answer("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n"))
        .startsWith("HTTP/1.1 400");
  }

  @Test
  void aBodyThatIsNotUtf8IsRefused() throws IOException {
    assertThat(
            answer(
                post(
                        "/api/v1/pause",
                        bearer(tokens.admin()) + "Connection: close\r\nContent-Length: 2\r\n")
                    + "\u00c3\u0028"))
        .startsWith("HTTP/1.1 400")
        .contains("not UTF-8");
  }

  @Test
  void aHeadWithoutAnEndIsRefused() throws IOException {
    assertThat(answer("GET /" + "a".repeat(4_000))).startsWith("HTTP/1.1 414");
    assertThat(answer("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + "a".repeat(10_000)))
        .startsWith("HTTP/1.1 4");
  }

  @Test
  void halfOfAnythingIsClosedInTime() throws Exception {
    ServerIdentity identity = ServerIdentity.of(folder, List.of("head"), List.of(), Instant.now());
    try (ControlPlane encrypted = serve(Optional.of(identity), folder.resolve("other"))) {
      List<Socket> halves =
          List.of(
              send(control.port(), ""),
              send(control.port(), "GET /api/v1/nodes HT"),
              send(control.port(), "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX"),
              send(control.port(), post("/api/v1/enrol", "Content-Length: 100\r\n") + "{"),
              send(
                  control.port(),
                  post("/api/v1/reports", bearer(tokens.admin()) + "Content-Length: 100\r\n")
                      + "{"),
              send(encrypted.port(), ""),
              send(encrypted.port(), "\u0016\u0003\u0001\u0002\u0000\u0001"));
      for (Socket half : halves) {
        assertThat(rest(half)).doesNotContain("HTTP/1.1 2");
      }
    }
  }

  /** How many of twenty who begin to watch are let in. */
  private long watching(String authorization) throws IOException {
    List<Socket> watching = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      watching.add(
          send(
              control.port(),
              "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n" + authorization + "\r\n"));
    }
    long in = 0;
    for (Socket socket : watching) {
      byte[] status = socket.getInputStream().readNBytes(12);
      in += new String(status, StandardCharsets.UTF_8).equals("HTTP/1.1 200") ? 1 : 0;
    }
    return in;
  }

  @Test
  void oneTokenOrAddressWatchesInSixteenPlacesAndLeavesTheOthers() throws Exception {
    String viewer = tokens.create("ada", Role.VIEWER, "", Optional.empty()).token();
    assertThat(watching("")).isEqualTo(16);
    assertThat(watching(bearer(viewer))).isEqualTo(16);
    assertThat(watching(bearer(tokens.admin()))).isEqualTo(16);
  }

  @Test
  void manyQuestionsAtOnceOnOneConnectionAreAllAnsweredInOrder() throws IOException {
    String question = "GET /api/v1/policy HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    String answers =
        answer((question + "\r\n").repeat(50) + question + "Connection: close\r\n\r\n");
    assertThat(answers.split("HTTP/1\\.1 200", -1)).hasSize(52);
  }
}
