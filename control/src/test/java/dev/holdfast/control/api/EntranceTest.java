package dev.holdfast.control.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Heartbeats;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.os.server.ServerClient;
import dev.holdfast.os.server.ServerRefusal;
import dev.holdfast.os.server.Token;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A control plane behind TLS, by real handshakes, and the way in through it. */
class EntranceTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  @TempDir Path folder;
  private Tokens tokens;
  private final Audit audit = Audit.inMemory();

  @BeforeEach
  void tokens() throws IOException {
    tokens = Tokens.open(folder, Clock.systemUTC(), _ -> {});
  }

  private ControlPlane serve(Optional<ServerIdentity> identity, Set<String> names)
      throws Exception {
    return new ControlPlane(
        Lead.of(Journal.embedded(folder.resolve("journal"))),
        Rules.usual(),
        _ -> Rules.usual(),
        List.of(),
        Notary.inMemory(),
        new Entrance(tokens, audit, false, identity, names),
        "127.0.0.1",
        0,
        Clock.systemUTC(),
        new Heartbeats());
  }

  private ServerIdentity made(Instant now) throws IOException {
    return ServerIdentity.of(folder, List.of("head"), List.of(), now);
  }

  private String ask(String uri, String fingerprint) throws Exception {
    try (ServerClient client =
        new ServerClient(new ServerAddress(URI.create(uri), tokens.admin(), fingerprint))) {
      return client.get("/api/v1/me", SOON);
    }
  }

  @Test
  void theRightFingerprintIsTrustedWhateverTheNameAndNoOther() throws Exception {
    ServerIdentity identity = made(Instant.now());
    try (ControlPlane control = serve(Optional.of(identity), Set.of())) {
      String here = "https://127.0.0.1:" + control.port();
      assertThat(ask(here, identity.fingerprint())).contains("\"role\":\"admin\"");
      assertThat(ask("https://localhost:" + control.port(), identity.fingerprint()))
          .as("a name that is not in the certificate")
          .contains("admin");
      String other =
          (identity.fingerprint().startsWith("0") ? "1" : "0")
              + identity.fingerprint().substring(1);
      assertThatThrownBy(() -> ask(here, other))
          .hasMessageContaining("another certificate than the fingerprint names")
          .hasMessageContaining(identity.fingerprint());
      assertThatThrownBy(() -> ask(here, ""))
          .hasMessageContaining("does not trust its certificate")
          .hasMessageContaining("--fingerprint");
      assertThatThrownBy(() -> ask("http://127.0.0.1:" + control.port(), ""))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void anExpiredCertificateIsNotTrustedEvenByItsFingerprint() throws Exception {
    ServerIdentity old = made(Instant.parse("2001-01-01T00:00:00Z"));
    assertThat(old.expired(Instant.now())).isTrue();
    try (ControlPlane control = serve(Optional.of(old), Set.of())) {
      assertThatThrownBy(() -> ask("https://127.0.0.1:" + control.port(), old.fingerprint()))
          .hasMessageContaining("NotAfter");
    }
  }

  @Test
  void whoSpeaksPlainTextToTlsOrTlsToPlainTextIsToldSo() throws Exception {
    try (ControlPlane control = serve(Optional.empty(), Set.of())) {
      assertThatThrownBy(() -> ask("https://127.0.0.1:" + control.port(), "00".repeat(32)))
          .hasMessageContaining("does not speak TLS");
    }
  }

  private static String post(ControlPlane control, String token, String path, String body)
      throws Exception {
    try (ServerClient client =
        new ServerClient(
            new ServerAddress(URI.create("http://127.0.0.1:" + control.port()), token, ""))) {
      return client.post("/api/v1" + path, "application/json", body, SOON);
    }
  }

  @Test
  void aNodeIsLetInAndOutThroughTheApi() throws Exception {
    try (ControlPlane control = serve(Optional.empty(), Set.of())) {
      Object invitation =
          Json.object(post(control, tokens.admin(), "/enrolments", "{\"nodes\":\"n[1-2]\"}"))
              .get("token");
      String own = Token.fresh();
      String body =
          Json.line(Json.map("token", invitation, "node", "n1", "sha256", Token.hash(own)));
      assertThat(post(control, "", "/enrol", body)).contains("done");
      assertThat(post(control, own, "/reports?source=node/n1", "")).contains("receipt");
      assertThatThrownBy(() -> post(control, own, "/reports?source=node/n2", ""))
          .hasMessageContaining("speaks for node/n1");
      assertThatThrownBy(
              () ->
                  post(
                      control,
                      "",
                      "/enrol",
                      body.replace(Token.hash(own), Token.hash(Token.fresh()))))
          .isInstanceOfSatisfying(
              ServerRefusal.class, it -> assertThat(it.status()).isEqualTo(409));
      assertThat(post(control, tokens.admin(), "/nodes/n1/reset", "")).contains("done");
      assertThatThrownBy(() -> post(control, own, "/reports?source=node/n1", ""))
          .hasMessageContaining("unknown, revoked or expired");
      for (String nonsense : List.of("", "{}", "rubbish", "{\"token\":1}", "[]")) {
        assertThatThrownBy(() -> post(control, "", "/enrol", nonsense))
            .as(nonsense)
            .isInstanceOfSatisfying(
                ServerRefusal.class, it -> assertThat(it.status()).isEqualTo(400));
      }
    }
  }

  @Test
  void whoActsOrTriesToIsWrittenDownWithoutTokens() throws Exception {
    String ada = tokens.create("ada", Role.OPERATOR, "", Optional.empty()).token();
    String bob = tokens.create("bob", Role.VIEWER, "", Optional.empty()).token();
    try (ControlPlane control = serve(Optional.empty(), Set.of())) {
      post(control, ada, "/pause", "{\"why\":\"x\"}");
      assertThatThrownBy(() -> post(control, bob, "/resume", "{}")).hasMessageContaining("bob");
      String wrong = Token.fresh();
      for (int i = 0; i < 40; i++) {
        assertThatThrownBy(() -> post(control, wrong, "/resume", "{}"))
            .isInstanceOf(ServerRefusal.class);
      }
      assertThat(control.engine().state().paused().orElseThrow().actor()).isEqualTo("person/ada");
      String told = Json.line(audit.recent(100));
      assertThat(told)
          .contains(
              "\"actor\":\"ada\",\"role\":\"operator\",\"peer\":\"127.0.0.1\","
                  + "\"what\":\"POST /api/v1/pause\",\"outcome\":200")
          .contains("\"actor\":\"bob\",\"role\":\"viewer\"", "\"outcome\":403")
          .doesNotContain("hf_");
      assertThat(audit.recent(100)).as("refusals are bounded").hasSizeLessThan(15);
    }
  }

  @Test
  void whoWasRevokedHearsNothingMore() throws Exception {
    String eve = tokens.create("eve", Role.VIEWER, "", Optional.empty()).token();
    try (ControlPlane control = serve(Optional.empty(), Set.of());
        ServerClient listener =
            new ServerClient(
                new ServerAddress(URI.create("http://127.0.0.1:" + control.port()), eve, ""))) {
      try (var events = listener.stream("/api/v1/events")) {
        byte[] hello = events.readNBytes(12);
        assertThat(new String(hello, java.nio.charset.StandardCharsets.UTF_8)).contains("hello");
        tokens.revoke("eve");
        post(control, tokens.admin(), "/pause", "{\"why\":\"a secret\"}");
        assertThat(new String(events.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
            .doesNotContain("secret");
      }
      String agent = tokens.create("mon", Role.AGENT, "site/mon", Optional.empty()).token();
      assertThat(post(control, agent, "/reports?source=site/mon", "")).contains("receipt");
      Thread revoking =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      Thread.sleep(300);
                      tokens.revoke("mon");
                    } catch (Exception failed) {
                      throw new IllegalStateException(failed);
                    }
                  });
      try (ServerClient waiting =
          new ServerClient(
              new ServerAddress(URI.create("http://127.0.0.1:" + control.port()), agent, ""))) {
        assertThatThrownBy(() -> waiting.get("/api/v1/requests?source=site/mon&wait=2", SOON))
            .hasMessageContaining("meanwhile");
      }
      revoking.join();
    }
  }

  @Test
  void onlyNamesOfOursMayBeAskedFor() throws Exception {
    try (ControlPlane control = serve(Optional.empty(), Set.of("head.example"))) {
      for (String[] pair :
          List.of(
              new String[] {"HEAD.example", "200"},
              new String[] {"head.example:7070", "200"},
              new String[] {"localhost", "200"},
              new String[] {"evil.example", "403"},
              new String[] {"head.example.evil.org", "403"})) {
        try (java.net.Socket socket = new java.net.Socket("127.0.0.1", control.port())) {
          socket.setSoTimeout(10_000);
          socket
              .getOutputStream()
              .write(
                  ("GET /api/v1/me HTTP/1.1\r\nHost: " + pair[0] + "\r\nConnection: close\r\n\r\n")
                      .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
          assertThat(
                  new String(
                      socket.getInputStream().readNBytes(12),
                      java.nio.charset.StandardCharsets.US_ASCII))
              .as(pair[0])
              .isEqualTo("HTTP/1.1 " + pair[1]);
        }
      }
    }
  }
}
