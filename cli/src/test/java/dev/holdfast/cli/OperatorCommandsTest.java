package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an operator reads and does in a shell, against a real control plane. */
@Timeout(60)
class OperatorCommandsTest {
  @TempDir Path folder;
  private TestCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = new TestCluster(folder);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private String server() {
    return cluster.address();
  }

  private TestConsole run(int expected, String... words) {
    TestConsole console = new TestConsole();
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(cluster.options());
    assertThat(console.run(all.toArray(String[]::new)))
        .as(console.out() + console.err())
        .isEqualTo(expected);
    return console;
  }

  private String out(String... words) {
    return run(0, words).out();
  }

  @Test
  void nodesThatNeedALookComeFirstAndTheRestOnlyWhenAskedFor() {
    String some = out("nodes");
    assertThat(some).contains("3 nodes:", "n2 ").doesNotContain("n10 ");
    assertThat(some.lines().filter(it -> it.startsWith("n")).findFirst().orElse(""))
        .startsWith("n2");
    String all = out("nodes", "--all");
    assertThat(all.lines().filter(it -> it.startsWith("n")).map(it -> it.split(" ")[0]))
        .as("worst first, then as people count")
        .containsExactly("n2", "n1", "n10");
    assertThat(out("nodes", "-w", "n[10-12]")).contains("n10").doesNotContain("n2 ");
  }

  @Test
  void everyLineFitsTheTerminal() {
    for (String list : List.of("nodes", "incidents", "findings", "decisions", "jobs")) {
      assertThat(out(list).lines()).as(list).allMatch(it -> it.length() <= 100);
    }
    assertThat(out("incidents", "i-1").lines()).allMatch(it -> it.length() <= 100);
  }

  /** In every text a node and a person can send. */
  @Test
  void noTextOfOthersBeginsALineOfItsOwn() throws Exception {
    String forged = "one\r\nFORGED line";
    cluster.say("n3", forged);
    out("drain", "n10", "--why", forged);
    out("note", "n10", forged);
    out("pause", "--why", forged);
    List<List<String>> commands =
        List.of(
            List.of("nodes", "--all"),
            List.of("nodes", "n3"),
            List.of("nodes", "n10"),
            List.of("incidents", "--all"),
            List.of("incidents", "i-1"),
            List.of("incidents", "i-2"),
            List.of("findings", "--all"),
            List.of("decisions", "--all"),
            List.of("decisions", "d-1"),
            List.of("decisions", "d-2"),
            List.of("jobs"),
            List.of("jobs", "j3"),
            List.of("status"),
            List.of("audit"),
            List.of("token", "list"));
    String all = "";
    for (List<String> command : commands) {
      TestConsole console = new TestConsole();
      List<String> words = new ArrayList<>(command);
      words.addAll(cluster.options());
      console.run(words.toArray(String[]::new));
      assertThat((console.out() + console.err()).lines())
          .as(String.join(" ", command))
          .noneMatch(it -> it.startsWith("FORGED"));
      all += console.out();
    }
    assertThat(all).contains("one\\r\\nFORGED line");
  }

  @Test
  void oneIncidentIsShownWithEvidenceDecisionAndTimeline() {
    String incident = out("incidents", "i-1");
    assertThat(incident)
        .contains("GPU 3 does not answer any more", "nvml: GPU is lost", "Restart the node.")
        .contains("d-1  drain-now n2  recommended", "because", "rule device-lost")
        .contains("found gpu.reachable on n2 gpu/3", "opened: GPU 3")
        .contains("holdfast approve d-1");
    assertThat(incident.indexOf("found gpu")).isGreaterThan(incident.indexOf("Timeline"));
    assertThat(out("decisions", "d-1")).contains("incident   i-1");
    assertThat(out("nodes", "n2")).contains("Findings that hold", "versions   driver 580.65");
    assertThat(out("jobs", "j1")).contains("running", "n[1-2]");
  }

  @Test
  void listsAsJsonAreTheServersAnswer() {
    Fields nodes = Fields.of("nodes", Json.object(out("nodes", "--all", "--format", "json")));
    assertThat(nodes.text("schema")).isEqualTo("holdfast.nodes/1");
    assertThat(nodes.objects("nodes")).hasSize(3);
    Fields jobs = Fields.of("jobs", Json.object(out("jobs", "--format", "json")));
    assertThat(jobs.objects("cluster").getFirst().text("job")).isEqualTo("j1");
    assertThat(out("decisions", "d-1", "--format", "json")).contains("holdfast.decision/1");
  }

  @Test
  void nodesAreDrainedAndBroughtBackWithAReason() {
    assertThat(out("drain", "n10", "--why", "new cable")).isEqualTo("n10: drained\n");
    assertThat(out("nodes", "n10")).contains("new cable");
    TestConsole again = run(1, "drain", "n10", "--why", "again");
    assertThat(again.err()).contains("HF-1507", "n10 is drained already");
    TestConsole both = run(1, "drain", "n[1,10]", "--why", "both");
    assertThat(both.out()).as("the other one is drained all the same").contains("n1: drain");
    assertThat(both.err()).contains("n10 is drained already");
    assertThat(out("undrain", "n10", "--why", "cable is new")).startsWith("n10: ");
    assertThat(run(2, "drain", "n1").err()).contains("--why");
  }

  @Test
  void decisionsAreApprovedRejectedAndCalledWrong() {
    assertThat(out("approve", "d-1", "--why", "seen it")).contains("d-1: drain-now node/n2 is");
    assertThat(cluster.control().engine().state().node("n2").orElseThrow().service().takesJobs())
        .isFalse();
    assertThat(run(1, "reject", "d-1", "--why", "late").err()).contains("already");
    assertThat(out("wrong", "d-1", "--why", "we pulled it")).contains("called wrong");
    assertThat(run(1, "approve", "d-99", "--why", "x").err()).contains("no decision d-99");
  }

  @Test
  void actingIsPausedAndNotesAreKept() {
    assertThat(out("pause", "--why", "switch work")).startsWith("paused");
    assertThat(cluster.control().engine().state().paused().orElseThrow().why())
        .isEqualTo("switch work");
    out("resume", "--why", "done");
    assertThat(cluster.control().engine().state().paused()).isEmpty();
    out("note", "i-1", "ticket 4711");
    assertThat(out("incidents", "i-1")).contains("ticket 4711");
    assertThat(run(2, "note", "n99", "typo").err()).contains("HF-1506", "no node n99");
  }

  @Test
  void whoeverIsNotThereIsSaidInOneSentence() throws Exception {
    cluster.close();
    TestConsole console = run(3, "nodes");
    assertThat(console.err()).contains("HF-1504", "nobody listens there", "holdfast serve");
    assertThat(console.err().lines()).hasSize(2);
  }

  @Test
  void someoneElsesServerIsNotTakenForAControlPlane() throws Exception {
    assertThat(against("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"))
        .contains("HF-1504", "not as a control plane does");
    assertThat(against("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 4\r\n\r\noops"))
        .contains("HF-1504", "502", "oops");
    assertThat(against("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"))
        .contains("HF-1505", "--token-file");
    assertThat(against("SSH-2.0-OpenSSH\r\n")).contains("HF-1504");
  }

  private String against(String answer) throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answer(socket, answer));
      TestConsole console = new TestConsole();
      int code = console.run("nodes", "--server", "http://127.0.0.1:" + socket.getLocalPort());
      assertThat(code).as(console.err()).isEqualTo(3);
      return console.err();
    }
  }

  private static void answer(ServerSocket socket, String answer) {
    try (Socket peer = socket.accept()) {
      peer.getInputStream().read(new byte[4096]);
      peer.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
      peer.getOutputStream().flush();
    } catch (java.io.IOException gone) {
      // The test tells.
    }
  }

  @Test
  void watchingDrawsAgainWhenSomethingHappensAndEndsWhenNobodyReads() throws Exception {
    Reader reader = new Reader();
    Thread watching =
        Thread.ofPlatform()
            .start(
                () ->
                    Main.run(
                        new dev.holdfast.cli.console.Console(
                            reader,
                            OutputStream.nullOutputStream(),
                            dev.holdfast.core.text.Style.PLAIN,
                            100),
                        "nodes",
                        "--watch",
                        "--server",
                        server()));
    reader.await("n2 ");
    cluster.tell("node/n10", TestCluster.lostGpu("n10"));
    reader.await("n10 ");
    reader.gone = true;
    watching.join(20_000);
    assertThat(watching.isAlive()).isFalse();
  }

  /** Reads until it goes away, as {@code head} does. */
  private static final class Reader extends OutputStream {
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private volatile boolean gone;

    @Override
    public synchronized void write(int value) throws java.io.IOException {
      if (gone) {
        throw new java.io.IOException("Broken pipe");
      }
      read.write(value);
    }

    void await(String text) throws InterruptedException {
      long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (System.nanoTime() < deadline) {
        synchronized (this) {
          if (read.toString(StandardCharsets.UTF_8).contains(text)) {
            return;
          }
        }
        Thread.sleep(20);
      }
      throw new AssertionError(text + " did not come: " + read.toString(StandardCharsets.UTF_8));
    }
  }
}
