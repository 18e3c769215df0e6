package dev.holdfast.agent.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.memory.Memory;
import dev.holdfast.agent.request.Outcome;
import dev.holdfast.agent.tell.Teller;
import dev.holdfast.agent.testing.Found;
import dev.holdfast.agent.testing.TryClock;
import dev.holdfast.core.health.FindingForm;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement.Answer;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Heartbeats;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalReportsTest {
  private static final String OWN = System.getProperty("user.name");

  @TempDir Path folder;
  private Memory memory;
  private SocketChannel nowhere;
  private final TryClock clock = new TryClock();
  private Launchers launchers;
  private LocalRules rules;

  @BeforeEach
  void open() throws IOException {
    nowhere = SocketChannel.open(java.net.StandardProtocolFamily.UNIX);
    memory = Memory.open("node/n1", folder.resolve("state"), 8 << 20);
    launchers = new Launchers(memory, clock);
    rules = new LocalRules("n1", OWN, new Teller(memory, clock), launchers);
  }

  @AfterEach
  void close() throws IOException {
    nowhere.close();
    memory.close();
  }

  /** As if said by a program of that user. */
  private String take(String user, String line) {
    return taken(user, line).problem();
  }

  private Taken taken(String user, String line) {
    return rules.take(new LocalPeer(user, nowhere), line);
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
    try (LocalReports _ = LocalReports.open(socket, rules, new Heartbeats())) {
      String answers = tell(socket, raised(Found.NODE) + "\nnonsense\n");
      assertThat(answers.lines().toList().get(0)).isEqualTo("{\"taken\":true}");
      assertThat(answers.lines().toList().get(1)).startsWith("{\"error\":");
    }
    assertThat(Found.told(memory)).containsExactly("raised site.disk node/n1 degraded x1");
  }

  @Test
  void aLineWithoutEndIsCutOffAndAFloodIsSlowed() throws Exception {
    Path socket = folder.resolve("agent.sock");
    try (LocalReports _ = LocalReports.open(socket, rules, new Heartbeats())) {
      assertThat(tell(socket, "x".repeat(70_000))).contains("longer than");
      String flood = (raised(Found.NODE) + "\n").repeat(400);
      long refused =
          tell(socket, flood).lines().filter(it -> it.contains("too many lines")).count();
      assertThat(refused).isBetween(100L, 250L);
    }
  }

  @Test
  void aUserSpeaksOnlyOfItsOwnJobs() {
    assertThat(take("ann", raised(Found.NODE))).contains("only root");
    assertThat(take("ann", raised(new Subject.Job("j1", 3)))).contains("not known");
    assertThat(take("ann", job("j1", "bob"))).contains("not one of ann");
    assertThat(take("ann", job("j1", "ann"))).isEmpty();
    assertThat(take("ann", raised(new Subject.Job("j1", 3)))).isEmpty();
    assertThat(take("bob", raised(new Subject.Job("j1", 3)))).contains("not known");
    assertThat(take("bob", job("j1@ann", "bob"))).contains("another user");
  }

  @Test
  void nobodyTakesTheNameOfAJobFromAnother() throws Exception {
    assertThat(taken("eve", job("train", "eve")).as()).isEmpty();
    assertThat(taken("ann", job("train", "ann")).as()).isEqualTo("train@ann");
    assertThat(taken("root", job("train", "root")).as()).isEqualTo("train@root");
    assertThat(take("ann", raised(new Subject.Job("train", 3)))).isEmpty();
    assertThat(Found.told(memory)).last().asString().contains("job/train@ann/rank/3");
  }

  @Test
  void aNameOfASchedulerIsItsUsersOnly() throws Exception {
    Path process = Files.createDirectories(folder.resolve("proc/4242"));
    String group = "0::/system.slice/slurmstepd.scope/job_4711/step_0/user/task_0\n";
    Files.writeString(process.resolve("cgroup"), group);
    Path own = Files.createDirectories(folder.resolve("proc/4243"));
    Files.writeString(
        own.resolve("cgroup"),
        "0::/user.slice/user-1.slice/user@1.service/slurmstepd.scope/job_4712\n");
    SchedulerJobs jobs = new SchedulerJobs(folder.resolve("proc"), System::nanoTime);
    String user = Files.getOwner(process).getName();
    assertThat(jobs.has(user, "slurm-4711")).isTrue();
    assertThat(jobs.has(user, "slurm-4711.0")).isTrue();
    assertThat(jobs.has("nobody", "slurm-4711")).isFalse();
    assertThat(jobs.has(user, "slurm-4712")).as("a group of the user's own making").isFalse();
    assertThat(jobs.has(user, "k8s-a-b")).isFalse();

    assertThat(taken("nobody", job("slurm-4711", "nobody")).as()).isEqualTo("slurm-4711@nobody");
    assertThat(taken("root", job("slurm-4711", "ann")).as()).isEmpty();
  }

  @Test
  void oneUserHasSoManyJobsOpenAndRootAlwaysHasRoom() {
    for (int i = 0; i < JobBook.MOST_OF_ONE; i++) {
      assertThat(take("eve", job("j" + i, "eve"))).isEmpty();
    }
    assertThat(take("eve", job("more", "eve"))).contains("50 jobs open");
    assertThat(take("eve", job("j7", "eve"))).isEmpty();
    assertThat(take("ann", job("hers", "ann"))).isEmpty();
    for (int user = 0; user < 20; user++) {
      for (int i = 0; i < JobBook.MOST_OF_ONE; i++) {
        take("u" + user, job("u" + user + "-" + i, "u" + user));
      }
    }
    assertThat(take("bob", job("his", "bob"))).contains("800 jobs");
    assertThat(take("root", job("training-7b", "root"))).isEmpty();
  }

  @Test
  void theNewestJobsAreKeptWhereNobodySpeaksForTheOld() {
    LocalPeer first = new LocalPeer("eve", nowhere);
    for (int i = 0; i < JobBook.MOST_OF_ONE; i++) {
      assertThat(rules.take(first, job("j" + i, "eve")).problem()).isEmpty();
    }
    rules.gone(first);
    assertThat(take("eve", job("more", "eve"))).isEmpty();
    assertThat(launchers.known("j0", "eve")).isEmpty();
    assertThat(launchers.known("more", "eve")).contains("more");
  }

  private static String here(String job, String user, boolean gone) {
    return Json.line(
        Json.map("kind", "jobHere", "job", job, "user", user, "gone", gone ? true : null));
  }

  @Test
  void aLauncherThatFollowsIsToldOnceAndThatItIsGone() throws Exception {
    LocalPeer launcher = new LocalPeer("ann", nowhere);
    assertThat(take("bob", here("j", "ann", false))).contains("not one of bob");
    assertThat(rules.take(launcher, here("j", "ann", false)).problem()).isEmpty();
    assertThat(rules.take(launcher, here("j", "ann", false)).problem()).isEmpty();
    assertThat(memory.waitingReports()).isEqualTo(1);
    assertThat(launchers.standing()).hasSize(1);
    clock.pass(Launchers.REPEAT);
    assertThat(rules.take(launcher, here("j", "ann", false)).problem()).isEmpty();
    assertThat(memory.waitingReports()).isEqualTo(2);
    rules.gone(launcher);
    clock.pass(Launchers.AWAY);
    launchers.look();
    assertThat(memory.next(10, Duration.ZERO)).last().asString().contains("\"gone\":true");
    assertThat(launchers.standing()).isEmpty();
  }

  @Test
  void whatTheControlPlaneDidNotTakeIsSaidOnTheNextLine() throws Exception {
    assertThat(take("ann", job("j", "ann"))).isEmpty();
    launchers.refused(memory.next(10, Duration.ZERO).getFirst(), "it belongs to node/n9");
    assertThat(take("ann", job("j", "ann"))).contains("did not take").contains("node/n9");
    assertThat(take("ann", job("j", "ann"))).isEmpty();
  }

  @Test
  void nobodySpeaksOfAnotherNodeOrForTheAgent() {
    assertThat(take("root", raised(new Subject.Node("n2")))).contains("not of this node");
    assertThat(
            take(
                "root",
                "{\"kind\":\"lost\",\"count\":1,\"from\":"
                    + "\"2026-01-01T00:00:00.000Z\",\"until\":\"2026-01-01T00:00:00.000Z\"}"))
        .contains("not taken here");
  }

  @Test
  void aConditionIsToldOnceAndOverWhenItsTellerSaysSo() throws Exception {
    assertThat(take(OWN, raised(Found.NODE))).isEmpty();
    assertThat(take(OWN, raised(Found.NODE))).isEmpty();
    String over =
        "{\"kind\":\"cleared\",\"check\":\"site.disk\",\"subject\":\"node/n1\",\"why\":\"swapped\"}";
    assertThat(take(OWN, over)).isEmpty();
    assertThat(take(OWN, over)).isEmpty();
    assertThat(Found.told(memory))
        .containsExactly("raised site.disk node/n1 degraded x1", "cleared site.disk node/n1");
  }

  @Test
  void aLauncherIsAskedOverItsOwnConnectionAndAnswers() throws Exception {
    Path socket = folder.resolve("agent.sock");
    try (LocalReports _ = LocalReports.open(socket, rules, new Heartbeats());
        Talk launcher = Talk.with(socket);
        Talk stranger = Talk.with(socket)) {
      launcher.say(job("j1", OWN));
      assertThat(launcher.hear()).isEqualTo("{\"taken\":true}");
      CompletableFuture<Outcome> outcome = CompletableFuture.supplyAsync(() -> ask("a-7", "j1"));
      assertThat(launcher.hear()).contains("\"a-7\"").contains("avoid-node").contains("node/n9");
      String answer =
          "{\"kind\":\"answered\",\"request\":\"a-7\",\"answer\":\"done\",\"detail\":\"soon\"}";
      stranger.say(answer);
      assertThat(stranger.hear()).contains("nobody asked a-7 here");
      launcher.say(answer);
      assertThat(outcome.get(10, TimeUnit.SECONDS)).isEqualTo(new Outcome(Answer.DONE, "soon"));
    }
  }

  @Test
  void aLauncherThatGoesAwayWhileAskedGivesNoAnswerAndItsJobIsLostAfterAWhile() throws Exception {
    Path socket = folder.resolve("agent.sock");
    CompletableFuture<Outcome> outcome;
    try (LocalReports _ = LocalReports.open(socket, rules, new Heartbeats())) {
      try (Talk launcher = Talk.with(socket)) {
        launcher.say(job("j1", OWN));
        assertThat(launcher.hear()).isEqualTo("{\"taken\":true}");
        outcome = CompletableFuture.supplyAsync(() -> ask("a-7", "j1"));
        assertThat(launcher.hear()).contains("\"a-7\"");
      }
      assertThat(outcome.get(10, TimeUnit.SECONDS).answer()).isEqualTo(Answer.UNKNOWN);
    }
    clock.pass(Launchers.AWAY.minusSeconds(1));
    launchers.look();
    assertThat(memory.waitingReports()).isEqualTo(1);
    clock.pass(Duration.ofSeconds(2));
    launchers.look();
    launchers.look();
    assertThat(memory.next(10, Duration.ZERO)).hasSize(2).last().asString().contains("\"lost\"");
  }

  private Outcome ask(String id, String job) {
    try {
      return launchers.ask(
          new Request(
              id,
              Request.Kind.AVOID_NODE,
              new Subject.Node("n9"),
              List.of(),
              job,
              "because",
              clock.instant().plusSeconds(600)));
    } catch (InterruptedException end) {
      throw new IllegalStateException(end);
    }
  }

  /** A program that stays connected. */
  private record Talk(SocketChannel channel, BufferedReader in) implements AutoCloseable {
    static Talk with(Path socket) throws IOException {
      SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
      return new Talk(
          channel, new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8)));
    }

    void say(String line) throws IOException {
      channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    String hear() throws IOException {
      return String.valueOf(in.readLine());
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
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
