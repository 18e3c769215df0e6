package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.agent.link.Enrolling;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.os.server.ServerClient;
import dev.holdfast.os.server.Token;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens in a shell, against a control plane that serves as it does outside this machine. */
@Timeout(120)
class TokenCommandsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** An address of the loopback, but none of those that count as this machine. */
  private static final String OUTSIDE = "127.0.0.2";

  @TempDir Path folder;
  private Thread serving;
  private String server = "";
  private String fingerprint = "";

  @BeforeEach
  void serve() throws Exception {
    TestConsole console = new TestConsole();
    serving =
        Thread.ofPlatform()
            .start(
                () ->
                    console.run(
                        "serve",
                        "--listen",
                        OUTSIDE + ":0",
                        "--require-token",
                        "--state",
                        folder.toString()));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Path note = folder.resolve("server.json");
    while (!Files.exists(note) && System.nanoTime() < deadline) {
      Thread.sleep(20);
    }
    assertThat(note).as(console.err()).exists();
    Fields said = Fields.of("server.json", Json.object(Files.readString(note)));
    server = said.text("address");
    fingerprint = said.text("fingerprint");
    assertThat(console.err()).contains(fingerprint).doesNotContain("hf_");
    Matcher address = Pattern.compile("https://127\\.0\\.0\\.2:[0-9]+").matcher(console.err());
    assertThat(address.find()).isTrue();
    assertThat(address.group()).isEqualTo(server);
  }

  @AfterEach
  void stop() throws Exception {
    serving.interrupt();
    serving.join(PATIENCE);
    assertThat(folder.resolve("server.json")).doesNotExist();
  }

  private TestConsole run(int expected, Path token, String... words) {
    TestConsole console = new TestConsole();
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(
        List.of("--server", server, "--fingerprint", fingerprint, "--token-file", "" + token));
    assertThat(console.run(all.toArray(String[]::new)))
        .as(console.out() + console.err())
        .isEqualTo(expected);
    return console;
  }

  private Path admin() {
    return folder.resolve("admin.token");
  }

  private Path made(String... words) throws Exception {
    String token = run(0, admin(), words).out();
    return Files.writeString(folder.resolve("t" + token.hashCode()), token);
  }

  @Test
  void aPersonIsLetInAndOut() throws Exception {
    Path ada = made("token", "create", "--name", "ada", "--role", "operator", "--expires", "30d");
    assertThat(run(0, ada, "pause", "--why", "try").out()).contains("paused");
    assertThat(run(3, ada, "token", "list").err())
        .contains("HF-1505", "ada has the role operator; this needs the role admin");
    assertThat(run(0, admin(), "token", "list").out())
        .contains("ada", "operator")
        .doesNotContain("hf_");
    assertThat(run(1, admin(), "token", "create", "--name", "x", "--role", "king").err())
        .contains("viewer, operator, admin or agent, not 'king'");
    assertThat(run(0, admin(), "token", "revoke", "ada").out()).contains("ada: revoked");
    assertThat(run(3, ada, "nodes").err()).contains("unknown, revoked or expired");
    assertThat(run(0, admin(), "audit").out())
        .contains("POST /pause", "POST /tokens/ada/revoke", "401 this token is unknown")
        .doesNotContain("hf_");
    assertThat(Files.readString(folder.resolve("audit.jsonl"))).contains("\"actor\":\"ada\"");
  }

  @Test
  void aNodeMakesItselfKnownOnceAndItsNameIsNotGivenToAnother() throws Exception {
    String invitation =
        run(0, admin(), "token", "enrol", "--nodes", "n[1-3]", "--uses", "2").out().strip();
    ServerAddress address = new ServerAddress(URI.create(server), "", fingerprint);
    Path first = folder.resolve("first");
    String own = Enrolling.enrol(address, invitation, "n1", first);
    assertThat(Enrolling.token(first)).contains(own);
    assertThatThrownBy(() -> Enrolling.enrol(address, invitation, "n1", folder.resolve("other")))
        .hasMessageContaining("token reset-node n1");
    assertThatThrownBy(() -> Enrolling.enrol(address, invitation, "n7", folder.resolve("other")))
        .hasMessageContaining("not n7");
    try (ServerClient client =
        new ServerClient(new ServerAddress(URI.create(server), own, fingerprint))) {
      assertThat(client.post("/api/v1/reports?source=node/n1", "text/plain", "", PATIENCE))
          .contains("receipt");
      assertThatThrownBy(
              () -> client.post("/api/v1/reports?source=node/n2", "text/plain", "", PATIENCE))
          .hasMessageContaining("speaks for node/n1, not for node/n2");
    }
    run(0, admin(), "token", "reset-node", "n1");
    assertThat(Enrolling.enrol(address, invitation, "n1", folder.resolve("other")))
        .isNotEqualTo(own);
  }

  @Test
  void anAnswerThatWasLostIsAskedForAgain() throws Exception {
    String invitation = run(0, admin(), "token", "enrol").out().strip();
    ServerAddress address = new ServerAddress(URI.create(server), "", fingerprint);
    Path state = folder.resolve("agent");
    String own = Enrolling.enrol(address, invitation, "n1", state);
    Files.move(state.resolve("agent.token"), state.resolve("agent.token.new"));
    assertThat(Enrolling.token(state)).as("as after a crash in between").isEmpty();
    assertThat(Enrolling.enrol(address, invitation, "n1", state)).isEqualTo(own);
  }

  @Test
  void anotherCertificateIsNotTrusted() throws Exception {
    TestConsole console = new TestConsole();
    assertThat(
            console.run(
                "nodes",
                "--server",
                server,
                "--fingerprint",
                "ab:".repeat(32),
                "--token-file",
                admin().toString()))
        .isEqualTo(3);
    assertThat(console.err()).contains("another certificate than the fingerprint names");
    Path spy = folder.resolve("spy");
    ServerAddress wrong = new ServerAddress(URI.create(server), "", "ab".repeat(32));
    assertThatThrownBy(() -> Enrolling.enrol(wrong, Token.fresh(), "n1", spy))
        .hasMessageContaining("another certificate");
    assertThat(Enrolling.token(spy)).isEmpty();
  }

  @Test
  void plainTextOutsideThisMachineIsRefusedUnlessItIsMeant() {
    TestConsole console = new TestConsole();
    assertThat(
            console.run(
                "serve", "--listen", OUTSIDE + ":0", "--no-tls", "--state", "" + folder + "/x"))
        .isEqualTo(2);
    assertThat(console.err()).contains("--insecure-plain-http");
    TestConsole half = new TestConsole();
    assertThat(half.run("serve", "--tls-cert", "/none", "--state", "" + folder + "/x"))
        .isEqualTo(2);
    assertThat(half.err()).contains("--tls-cert and --tls-key belong together");
  }
}
