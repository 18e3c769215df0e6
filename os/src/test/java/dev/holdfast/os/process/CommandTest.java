package dev.holdfast.os.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class CommandTest {
  @TempDir Path folder;

  @Test
  void answersWithOutputMessagesAndExitCode() {
    CommandResult result = shell("echo out; echo err >&2; exit 3").run();
    assertThat(result.ending()).isEqualTo(Ending.EXITED);
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.output()).isEqualTo("out\n");
    assertThat(result.error()).isEqualTo("err\n");
    assertThat(result.why()).isEqualTo("sh: exit code 3");
    assertThat(shell("true").run().succeeded()).isTrue();
  }

  @Test
  void givesTheEnvironmentAndNoInput() {
    CommandResult result = shell("cat; echo $LC_ALL $COLOUR").with("COLOUR", "green").run();
    assertThat(result.output()).isEqualTo("C green\n");
    assertThat(Command.of("x").with("A", "1").environment())
        .isEqualTo(Map.of("LC_ALL", "C", "A", "1"));
  }

  @Test
  void saysWhenThereIsNoSuchProgramOrItCannotRun() throws Exception {
    assertThat(Command.of("no-such-program-here").run().ending()).isEqualTo(Ending.NOT_FOUND);
    Path plain = Files.writeString(folder.resolve("plain"), "text");
    CommandResult denied = Command.of(plain.toString()).run();
    assertThat(denied.ending()).isEqualTo(Ending.FAILED);
    assertThat(denied.why()).contains("Permission denied");
  }

  @Test
  void keepsTheBeginningOfTooMuchOutputAndStillSeesTheExitCode() {
    CommandResult result =
        shell("head -c 3000000 /dev/zero | tr '\\0' x; echo no >&2; exit 4").limit(1000, 1).run();
    assertThat(result.output()).isEqualTo("x".repeat(1000));
    assertThat(result.error()).isEqualTo("n");
    assertThat(result.truncated()).isTrue();
    assertThat(result.exitCode()).isEqualTo(4);
  }

  @Test
  void keepsTheOrderOfALargeOutput() {
    CommandResult result = shell("seq 1 200000").limit(1 << 22, 10).run();
    assertThat(result.truncated()).isFalse();
    assertThat(result.output().lines().mapToInt(Integer::parseInt).toArray())
        .isSorted()
        .hasSize(200_000);
  }

  @Test
  void killsTheWholeTreeAtTheDeadlineEvenWhenItIgnoresTerm() throws Exception {
    Path pids = folder.resolve("pids");
    String script =
        "trap '' TERM; echo $$ >> %s; (trap '' TERM; sh -c 'echo $$ >> %s; sleep 60') & wait; sleep 60"
            .formatted(pids, pids);
    CommandResult result = shell(script).within(Duration.ofMillis(400)).run();
    assertThat(result.ending()).isEqualTo(Ending.TIMED_OUT);
    assertThat(result.why()).isEqualTo("sh: no end within 400 ms, killed");
    assertThat(result.took()).isLessThan(Duration.ofSeconds(3));
    assertThat(Files.readAllLines(pids)).hasSize(2).noneMatch(CommandTest::alive);
  }

  @Test
  void aGrandchildThatKeepsThePipeOpenDelaysNothing() {
    CommandResult result = shell("sleep 5 & echo done").run();
    assertThat(result.output()).isEqualTo("done\n");
    assertThat(result.succeeded()).isTrue();
    assertThat(result.took()).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void aGrandchildThatWritesWithoutPauseFillsNothing() {
    CommandResult result =
        shell("yes & echo $! >&2; sleep 0.1").within(Duration.ofMillis(500)).limit(100, 100).run();
    assertThat(result.output()).hasSize(100);
    assertThat(result.truncated()).isTrue();
    assertThat(result.took()).isLessThan(Duration.ofSeconds(3));
    for (int round = 0; round < 200 && alive(result.error().strip()); round++) {
      java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
    }
    assertThat(alive(result.error().strip())).isFalse();
  }

  @Test
  void anInterruptEndsTheCommand() throws Exception {
    CommandResult[] result = new CommandResult[1];
    Thread runner = Thread.ofVirtual().start(() -> result[0] = shell("sleep 20").run());
    for (int round = 0; round < 500 && !sleeping(); round++) {
      java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
    }
    assertThat(sleeping()).as("the command runs").isTrue();
    runner.interrupt();
    assertThat(runner.join(Duration.ofSeconds(5))).isTrue();
    assertThat(result[0].ending()).isEqualTo(Ending.FAILED);
    assertThat(result[0].why()).isEqualTo("interrupted");
  }

  private static boolean sleeping() {
    return ProcessHandle.current()
        .descendants()
        .anyMatch(process -> process.info().commandLine().orElse("").contains("sleep 20"));
  }

  private static boolean alive(String pid) {
    return ProcessState.alive(Long.parseLong(pid));
  }

  private static Command shell(String script) {
    return Command.of("sh", "-c", script);
  }
}
