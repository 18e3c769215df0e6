package dev.holdfast.agent.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.memory.Memory;
import dev.holdfast.agent.tell.Teller;
import dev.holdfast.agent.testing.Found;
import dev.holdfast.core.health.FindingForm;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalReportsTest {
  private static final String OWN = System.getProperty("user.name");

  @TempDir Path folder;
  private Memory memory;
  private LocalRules rules;

  @BeforeEach
  void open() throws IOException {
    memory = Memory.open("node/n1", folder.resolve("state"), 8 << 20);
    rules = new LocalRules("n1", OWN, new Teller(memory, InstantSource.system()));
  }

  @AfterEach
  void close() throws IOException {
    memory.close();
  }

  private static String raised(Subject subject) {
    return Json.line(
        Json.map(
            "kind",
            "raised",
            "finding",
            FindingForm.json(
                Found.condition("site.disk", subject, Severity.DEGRADED, "slow disk"))));
  }

  private static String job(String job, String user) {
    return """
        {"kind":"job","job":{"job":"%s","user":"%s","state":"running","attempt":0,\
        "begun":"2026-01-01T00:00:00.000Z","members":[]}}"""
        .formatted(job, user);
  }

  @Test
  void aLineOverTheSocketBecomesAReportOfThisNode() throws Exception {
    Path socket = folder.resolve("agent.sock");
    try (LocalReports _ = LocalReports.open(socket, rules::take)) {
      String answers = tell(socket, raised(Found.NODE) + "\nnonsense\n");
      assertThat(answers.lines().toList().get(0)).isEqualTo("{\"taken\":true}");
      assertThat(answers.lines().toList().get(1)).startsWith("{\"error\":");
    }
    assertThat(Found.told(memory)).containsExactly("raised site.disk node/n1 degraded x1");
  }

  @Test
  void aLineWithoutEndIsCutOffAndAFloodIsSlowed() throws Exception {
    Path socket = folder.resolve("agent.sock");
    try (LocalReports _ = LocalReports.open(socket, rules::take)) {
      assertThat(tell(socket, "x".repeat(70_000))).contains("longer than");
      String flood = (raised(Found.NODE) + "\n").repeat(400);
      long refused =
          tell(socket, flood).lines().filter(it -> it.contains("too many lines")).count();
      assertThat(refused).isBetween(100L, 250L);
    }
  }

  @Test
  void aUserSpeaksOnlyOfItsOwnJobs() {
    assertThat(rules.take("ann", raised(Found.NODE))).contains("only root");
    assertThat(rules.take("ann", raised(new Subject.Job("j1", 3)))).contains("not known");
    assertThat(rules.take("ann", job("j1", "bob"))).contains("not one of ann");
    assertThat(rules.take("ann", job("j1", "ann"))).isEmpty();
    assertThat(rules.take("ann", raised(new Subject.Job("j1", 3)))).isEmpty();
    assertThat(rules.take("bob", job("j1", "bob"))).contains("not one of bob");
    assertThat(rules.take("bob", raised(new Subject.Job("j1", 3)))).contains("not known");
  }

  @Test
  void nobodySpeaksOfAnotherNodeOrForTheAgent() {
    assertThat(rules.take("root", raised(new Subject.Node("n2")))).contains("not of this node");
    assertThat(
            rules.take(
                "root",
                "{\"kind\":\"lost\",\"count\":1,\"from\":"
                    + "\"2026-01-01T00:00:00.000Z\",\"until\":\"2026-01-01T00:00:00.000Z\"}"))
        .contains("not taken here");
  }

  @Test
  void aConditionIsToldOnceAndOverWhenItsTellerSaysSo() throws Exception {
    assertThat(rules.take(OWN, raised(Found.NODE))).isEmpty();
    assertThat(rules.take(OWN, raised(Found.NODE))).isEmpty();
    String over =
        "{\"kind\":\"cleared\",\"check\":\"site.disk\",\"subject\":\"node/n1\",\"why\":\"swapped\"}";
    assertThat(rules.take(OWN, over)).isEmpty();
    assertThat(rules.take(OWN, over)).isEmpty();
    assertThat(Found.told(memory))
        .containsExactly("raised site.disk node/n1 degraded x1", "cleared site.disk node/n1");
  }

  /** Sends, says that nothing more comes, and reads what is answered until the end. */
  private static String tell(Path socket, String text) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                  while (bytes.hasRemaining()) {
                    channel.write(bytes);
                  }
                  channel.shutdownOutput();
                } catch (IOException cutOff) {
                  // What was answered until then is what matters.
                }
              });
      byte[] answer;
      try {
        answer = Channels.newInputStream(channel).readAllBytes();
      } catch (IOException reset) {
        return "";
      }
      return new String(answer, StandardCharsets.UTF_8);
    }
  }
}
