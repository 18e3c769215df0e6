package dev.holdfast.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.launch.job.Member;
import dev.holdfast.testing.Tools;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members that are real processes, stopped so that their connections are half open. */
@Timeout(180)
class RendezvousIT {

  private static Process member(String name, int port) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            MemberProcess.class.getName(),
            name,
            String.valueOf(port))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static BlockingQueue<String> lines(Process process) {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
                reader.lines().forEach(lines::add);
              } catch (IOException e) {
                lines.add("unreadable: " + e);
              }
            });
    return lines;
  }

  private static void await(BlockingQueue<String> lines, String start) throws InterruptedException {
    long deadline = System.nanoTime() + FakeNode.PATIENCE.toNanos();
    String line;
    do {
      line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      assertThat(line).as("waiting for " + start).isNotNull();
    } while (!Objects.requireNonNull(line).startsWith(start));
  }

  private static void signal(String signal, Process process) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start();
    assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(kill.exitValue()).isZero();
  }

  private static void awaitAssignment(FakeNode node) throws InterruptedException {
    long deadline = System.nanoTime() + FakeNode.PATIENCE.toNanos();
    while (node.assignment == null && System.nanoTime() < deadline) {
      Thread.sleep(20);
    }
  }

  @Test
  void aStoppedMemberIsReplacedAndJoinsAgainWhenItWakes() throws Exception {
    Tools.require("kill", "procps");
    int port = Small.freePort();
    FakeNode first = new FakeNode("n1");
    FakeNode second = new FakeNode("n2");
    Judge judge = new FakeJudge(5, false);
    Process third = member("n3", port);
    try (Rendezvous leader = first.join(Small.setup("n1", port, true, 2, 3, 0), judge);
        Rendezvous _ = second.join(Small.setup("n2", port, false, 2, 3, 0), judge)) {
      BlockingQueue<String> told = lines(third);
      // It may come after the others began: then it is a spare, and takes part next time.
      awaitMember(leader, "n3");
      awaitAssignment(first);
      if (Objects.requireNonNull(first.assignment).members().size() < 3) {
        second.exit(0, 1);
        second.exit(1, 1);
      }
      await(told, "start");
      signal("STOP", third);
      long deadline = System.nanoTime() + FakeNode.PATIENCE.toNanos();
      while (Objects.requireNonNull(first.assignment).members().size() != 2
          && System.nanoTime() < deadline) {
        Thread.sleep(20);
      }
      assertThat(Objects.requireNonNull(first.assignment).members())
          .extracting(Member::node)
          .containsExactly("n1", "n2");
      signal("CONT", third);
      await(told, "stop");
      second.exit(0, 1);
      second.exit(1, 1);
      await(told, "start");
      leader.endJob(0, "enough");
      await(told, "finish 0: enough");
      assertThat(third.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      third.destroyForcibly();
    }
  }

  private static void awaitMember(Rendezvous leader, String node) throws InterruptedException {
    long deadline = System.nanoTime() + FakeNode.PATIENCE.toNanos();
    while (leader.view().attempt() < 0
        || leader.view().members().stream().noneMatch(m -> m.member().node().equals(node))) {
      assertThat(System.nanoTime()).as("waiting for " + node).isLessThan(deadline);
      Thread.sleep(20);
    }
  }
}
